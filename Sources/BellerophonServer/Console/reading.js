// MARK: Reading

const interval = 2000;
let state = emptyState();
let refreshing = null;
let timer = null;

function emptyState() {
  return { scopes: [], statuses: new Map(), rowsById: new Map(), proposals: [], figures: null, ready: null,
    samples: new Map(), readAt: null, failure: null };
}

// Reads everything and shows it. A refresh that is under way is awaited, and followed by another one.
async function refresh() {
  while (refreshing) await refreshing;
  refreshing = readAll();
  try {
    await refreshing;
  } finally {
    refreshing = null;
  }
}

async function readAll() {
  const mine = session;
  clearTimeout(timer);
  try {
    // Alone, so that a token that is refused is refused once.
    const scopes = await askJSON('GET', 'v1/scopes');
    const [proposals] = await Promise.all([askJSON('GET', 'v1/proposals'), readReadiness(), readJournal()]);
    const mains = scopes.filter(isMain);
    await Promise.all(mains.map(readStatus));
    await Promise.all(scopes.filter((scope) => !isMain(scope)).map(readStatus));
    // Last, so that none of this page's own requests is under way while the server counts.
    await readFigures();
    Object.assign(state, { scopes, proposals, readAt: Date.now(), failure: null });
  } catch (failure) {
    if (mine !== session) return;
    state.failure = failure;
    if (failure.status === 401) return lock(explanation(failure));
    if (!(failure instanceof Failure)) throw failure;
  } finally {
    if (mine === session) {
      timer = setTimeout(refreshIfVisible, interval);
      show();
    }
  }
}

function refreshIfVisible() {
  if (token !== null && document.visibilityState === 'visible') refresh();
}

// What the clients of a scope are told, and the row of the journal that says who and why.
async function readStatus(scope) {
  const reply = await ask('GET', statusPath(scope));
  const published = Number(reply.headers.get('Bellerophon-Published'));
  const serial = Number(/"(\d+)-/.exec(reply.headers.get('ETag') ?? '')?.[1] ?? 0);
  const told = readDocument(reply.text);
  state.statuses.set(scopeName(scope), { scope, told, since: published > 0 ? published : null, serial,
    ...await origin(scope, told, serial) });
}

async function rowOf(id) {
  if (!state.rowsById.has(id)) {
    const [row] = await askJSON('GET', 'v1/journal', { query: { before: id + 1, limit: 1 } });
    if (row?.id === id) state.rowsById.set(id, row);
  }
  return state.rowsById.get(id) ?? null;
}

// What stands in a scope, the one that is shown first; the row that is shown, or that has published it, and the other scope that it
// was published for. A channel shows a kill of its own or of its app, otherwise its own update, otherwise its app's status.
async function origin(scope, told, serial) {
  const changed = serial > 0 ? await rowOf(serial) : null;
  const own = changed && !isOf(changed, scope) ? await ownRow(scope, serial) : changed;
  const standing = standingIn(own);
  const app = isMain(scope) ? null : state.statuses.get(`${scope.app}/main`)?.newest;
  const isKill = (row) => standingIn(row)[0]?.action === 'kill';
  const isOwn = !app || isKill(own) || (standing.length > 0 && !isKill(app));
  const shown = isOwn ? own : app;
  const [first, under] = standingIn(shown);
  const row = first?.endsAt && told.stage === 'live' && Date.parse(first.endsAt) <= serverNow() + 1000
    ? { id: first.row, who: 'bellerophon-server', reason: `the time of #${first.row} is over` } : first ?? shown;
  return { row, under, standing, newest: own, inherited: !shown || isOf(shown, scope) ? null : `${shown.app}/${shown.channel}` };
}

// The newest row of a channel when its status had this number.
async function ownRow(scope, serial) {
  const known = state.statuses.get(scopeName(scope));
  return known?.serial === serial ? known.newest : newestRow(scope);
}

// The kill and the update that a row leaves, the one that is shown first.
function standingIn(row) {
  if (!row) return [];
  const entries = row.plan ? [row.plan.base, row.plan.under] : [row];
  return entries.filter((one) => one?.action === 'kill' || one?.action === 'update')
    .map((one) => (one.row ? one : { ...row, ...one, row: row.id }));
}

const isOf = (row, scope) => row.app === scope.app && row.channel === scope.channel;

// A kill or an update in words.
const standingText = (one) => `#${one.row} ${one.action} by ${by(one)} at ${timeText(one.at)}`
  + `${one.endsAt ? `, until ${timeText(one.endsAt)}` : ''}${one.reason ? `: ${one.reason}` : ''}`;

// MARK: Figures

// A proxy may keep figures and readiness to itself; the page works without them.
async function optional(read) {
  try {
    return await read();
  } catch (failure) {
    if (failure.kind === 'refused') return null;
    throw failure;
  }
}

async function readReadiness() {
  const reply = await optional(() => ask('GET', 'ready', { also: [503] }));
  state.ready = reply && readJSON(reply.text);
  if (typeof state.ready?.ready !== 'boolean') state.ready = null;
}

function readJSON(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function readFigures() {
  const reply = await optional(() => ask('GET', 'metrics'));
  if (!reply) { state.figures = null; return; }
  const date = Date.parse(reply.headers.get('Date') ?? '');
  if (!Number.isNaN(date)) {
    // The field has whole seconds.
    const lead = date + 500 - Date.now();
    clockLead = Math.abs(lead) < 2000 ? 0 : lead;
  }
  const found = {};
  let requests = 0;
  for (const line of reply.text.split('\n')) {
    const match = /^([a-z_]+)(\{[^}]*\})? ([0-9.eE+-]+)$/.exec(line);
    if (!match) continue;
    if (match[1] === 'bellerophon_requests_total') requests += Number(match[3]);
    else if (match[2] === undefined) found[match[1]] = Number(match[3]);
  }
  state.figures = { streams: found.bellerophon_streams, connections: found.bellerophon_connections,
    rate: requestRate(found.process_start_time_seconds, requests), leads: found.bellerophon_shared_store_leader };
}

// Replies a second to others than this page, since the last look at the same server process.
function requestRate(started, requests) {
  const [now, last] = [performance.now(), state.samples.get(started)];
  if (last && now - last.now < 500) return last.rate;
  const others = last ? requests - last.requests - (ownReplies - last.ownReplies) : 0;
  const rate = last ? Math.max(0, others) / ((now - last.now) / 1000) : null;
  state.samples.set(started, { now, requests, ownReplies, rate });
  return rate;
}
