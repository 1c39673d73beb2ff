// MARK: Reading

const interval = 2000;
let state = emptyState();
let refreshing = null;
let timer = null;

function emptyState() {
  return { scopes: [], statuses: new Map(), proposals: [], figures: null, ready: null,
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
    const statuses = await readStatuses();
    const [proposals] = await Promise.all([askJSON('GET', 'v1/proposals'), readReadiness(), readJournal()]);
    // Last, so that none of this page's own requests is under way while the server counts.
    await readFigures();
    const scopes = [...statuses.values()].map((one) => one.scope);
    Object.assign(state, { scopes, statuses, proposals, readAt: Date.now(), failure: null });
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

// What the clients of each scope are told, by the scope's name; with a scope, of that one alone.
async function readStatuses(scope = {}) {
  const served = await askJSON('GET', 'v1/statuses', { query: scope });
  return new Map(served.map((one) => [scopeName(one), statusOf(one)]));
}

// Reads the status of a scope again.
async function readStatus(scope) {
  for (const [name, status] of await readStatuses(scope)) state.statuses.set(name, status);
}

// What stands in a scope, the one that is shown first; the row that is shown, or that has published it, and the other scope that it
// was published for.
function statusOf({ app, channel, document, published, serial, entry = null, newest = null }) {
  const scope = { app, channel };
  const told = readDocument(document);
  const [first, under] = standingIn(entry);
  const row = first?.endsAt && told.stage === 'live' && Date.parse(first.endsAt) <= serverNow() + 1000
    ? { id: first.row, who: 'bellerophon-server', reason: `the time of #${first.row} is over` } : first ?? entry;
  return { scope, told, since: published ? Date.parse(published) : null, serial, row, under, standing: standingIn(newest), newest,
    inherited: !entry || isOf(entry, scope) ? null : `${entry.app}/${entry.channel}` };
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
