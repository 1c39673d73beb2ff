// MARK: Showing

const cards = new Map();

function show() {
  showFreshness();
  showNotices();
  showFigures();
  showProposals();
  showApps();
  showRows();
  tickTimes();
}

function showFreshness() {
  const failed = state.failure !== null;
  byId('freshness').hidden = token === null || state.readAt === null;
  byId('freshness').classList.toggle('bad', failed);
  if (state.readAt === null) return;
  const age = durationText((Date.now() - state.readAt) / 1000);
  const isNew = Date.now() - state.readAt < 5000;
  setText(byId('age'), failed ? `data are ${age} old` : isNew ? 'up to date' : `updated ${age} ago`);
  const stale = byId('stale-age');
  if (stale) setText(stale, age);
}

function showNotices() {
  const reasons = state.ready?.ready === false ? state.ready.reasons ?? [] : [];
  const failure = state.failure && { kind: state.failure.kind, text: state.failure.message, hint: state.failure.hint };
  const lead = Math.abs(clockLead) > 60000 ? Math.round(clockLead / 60000) : 0;
  fill(byId('notices'), JSON.stringify([reasons, failure, lead, state.readAt === null]), () => [
    failure && element('div', { class: 'notice bad', role: 'alert' },
      element('strong', {}, failure.kind === 'lost' ? 'The server can’t be reached.' : sentence(failure.text)),
      failure.hint && element('p', {}, sentence(failure.hint)),
      state.readAt !== null && element('p', {}, 'What is shown is ', element('span', { id: 'stale-age' }), ' old. ',
        'The page tries again every 2 seconds.')),
    reasons.length > 0 && element('div', { class: 'notice bad', role: 'alert' },
      element('strong', {}, 'The server is not ready.'),
      element('ul', {}, reasons.map((reason) => element('li', {}, reason)))),
    lead !== 0 && element('p', { class: 'notice warn' },
      `The server’s clock is ${durationText(Math.abs(clockLead) / 1000)} `,
      `${lead > 0 ? 'ahead of' : 'behind'} this device’s. Check both. Times on this page follow the server.`),
  ].filter(Boolean));
}

function showFigures() {
  const { figures, ready } = state;
  const rate = figures?.rate ?? null;
  const shown = [
    ['Streams', 'streams that are open now', figures?.streams?.toLocaleString('en') ?? '–'],
    ['Requests/s', 'replies a second to others than this page', rate === null ? '–' : rate.toFixed(rate < 10 ? 1 : 0)],
    ['Connections', 'connections that are open now', figures?.connections?.toLocaleString('en') ?? '–'],
    ['Server', 'what /ready replies', !ready ? '–' : ready.ready ? '● ready' : '▲ not ready'],
  ];
  if (ready?.shared) {
    shown.push(['Shared store', 'whether this server leads', `${ready.shared.leads ? 'leads' : 'follows'}, `
      + (ready.shared.standbys ? 'standby' : 'no standby')]);
  }
  fill(byId('figures'), JSON.stringify(shown), () => shown.map(([name, title, value]) =>
    element('div', { title }, element('dt', {}, name),
      element('dd', { class: value.startsWith('▲') ? 'bad' : value.startsWith('●') ? 'good' : null }, value))));
}

function showApps() {
  const present = new Set(state.scopes.map(scopeName));
  for (const [name, card] of cards) {
    if (present.has(name)) continue;
    card.root.remove();
    cards.delete(name);
  }
  const list = byId('cards');
  state.scopes.forEach((scope, index) => {
    const name = scopeName(scope);
    if (!cards.has(name)) cards.set(name, makeCard(scope));
    const card = cards.get(name);
    if (list.children[index] !== card.root) list.insertBefore(card.root, list.children[index] ?? null);
    updateCard(card, state.statuses.get(name));
  });
  const count = (stage) => [...state.statuses.values()].filter((status) => status.told.stage === stage
    && present.has(scopeName(status.scope))).length;
  const words = ['paused', 'update', 'live'].map((stage) => [count(stage), stages[stage].word.toLowerCase()])
    .filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  setText(byId('summary'), words.join(' · '));
  const stopped = count('paused') + count('update');
  document.title = (stopped > 0 ? `■ ${stopped} stopped – ` : '') + 'Bellerophon console';
}

const nameParts = (scope) =>
  [element('span', {}, scope.app), element('span', { class: 'channel' }, `/${scope.channel}`)];

function makeCard(scope) {
  const name = scopeName(scope);
  const press = (action) => () => openAction(scope, action);
  const card = {
    status: element('div', { class: 'status' }),
    message: element('p', { class: 'told' }),
    facts: element('dl', { class: 'facts' }),
  };
  const title = element('h3', {}, nameParts(scope));
  const actions = element('div', { class: 'actions' },
    button('Kill…', press('kill'), { class: 'kill', 'data-action': 'kill', 'aria-label': `Kill ${name}` }),
    button('Update…', press('update'), { 'data-action': 'update', 'aria-label': `Require an update of ${name}` }),
    button('Restore…', press('restore'), { 'data-action': 'restore', 'aria-label': `Restore ${name}` }),
    button('Rules…', () => openPlan(scope), { 'data-action': 'rules', 'aria-label': `Rules of ${name}` }));
  card.root = element('article', { class: 'card', 'data-scope': name, 'aria-label': name, keydown: pressOnCard },
    element('div', { class: 'top' }, title, card.status), card.message, card.facts, actions);
  return card;
}

// k, u, r and p act on the app whose buttons have the focus. The arrows move to the same button of the next app.
function pressOnCard(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = { k: 'kill', u: 'update', r: 'restore', p: 'rules' }[event.key];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const card = event.currentTarget;
  if (action) {
    event.preventDefault();
    card.querySelector(`[data-action=${action}]`).click();
  } else if (step) {
    const all = [...card.parentElement.children];
    const next = all[all.indexOf(card) + step];
    if (!next) return;
    event.preventDefault();
    next.querySelector(`[data-action=${event.target.dataset.action ?? 'kill'}]`).focus();
  }
}

function updateCard(card, status) {
  if (!status) return;
  const { told, row, under, inherited } = status;
  // A later row, such as one of rules, is not what stops programs.
  const since = row?.row ? row.at : status.since;
  card.root.className = `card ${told.stage}`;
  card.root.querySelector('[data-action=restore]').classList.toggle('lift', told.stage !== 'live');
  fill(card.status, told.stage, () => [badge(told.stage)]);
  card.message.hidden = !told.message;
  setText(card.message, told.message ?? '');
  const key = JSON.stringify([told.text, row?.id, row?.row, row?.who, under?.row, since, inherited, status.serial]);
  fill(card.facts, key, () => factRows([
    ['since', since && time(since)],
    ['by', row && by(row)],
    ['why', row && (row.reason ?? '–')],
    ['version', told.version && `${told.version} or later`],
    ['get it', told.url],
    ['ends', row?.endsAt && told.stage !== 'live' && [time(row.endsAt, 'until'), element('span', { class: 'quiet' },
      ` at ${timeText(row.endsAt).slice(11)}`)]],
    ['back', told.back && told.stage !== 'live' && `people are told ${timeText(told.back)}`],
    ['then', under && told.stage !== 'live' && standingText(under)],
    ['alone', row?.breakGlass === true && 'one person published it (break glass); lifting it takes two'],
    ['rules', ruleFacts(told.text)],
    ['as', inherited && `${inherited}, whose status the channel shows`],
    ['', status.serial === 0 && 'nothing was published yet'],
  ]));
}

const by = (row) => row.proposedBy ? `${row.who}, proposed by ${row.proposedBy}` : row.who;

// The rows of a list of facts. A fact without a value is left out.
function factRows(facts) {
  return facts.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
    .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
}
