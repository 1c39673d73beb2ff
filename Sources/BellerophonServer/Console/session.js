// MARK: Session

const idleLimit = 15 * 60 * 1000;
let lastUse = Date.now();

async function unlock() {
  const input = byId('token');
  const text = input.value.trim();
  input.value = '';
  if (!/^[\x21-\x7e]+$/.test(text)) return tellAtGate('This is no token.');
  tellAtGate(null);
  byId('unlock-button').disabled = true;
  token = text;
  lastUse = Date.now();
  await refresh();
  byId('unlock-button').disabled = false;
  if (token === null) return;
  if (state.failure) {
    return lock(state.failure.kind === 'lost' ? 'The server can’t be reached. Try again.' : explanation(state.failure));
  }
  for (const id of ['desk', 'lock']) byId(id).hidden = false;
  byId('gate').hidden = true;
  byId('apps-title').focus({ preventScroll: true });
}

function tellAtGate(text) {
  byId('gate-message').hidden = !text;
  setText(byId('gate-message'), text ?? '');
}

// Forgets the token and everything that was read with it.
function lock(reason) {
  token = null;
  session += 1;
  for (const abort of pending) abort.abort();
  clearTimeout(timer);
  closeDialog();
  clearToast();
  state = emptyState();
  rows = [];
  hasOlder = true;
  cards.clear();
  for (const id of ['cards', 'rows', 'proposal-list', 'figures', 'notices']) {
    byId(id).replaceChildren();
    delete byId(id).dataset.key;
  }
  document.title = 'Bellerophon console';
  for (const id of ['desk', 'lock', 'freshness']) byId(id).hidden = true;
  byId('gate').hidden = false;
  byId('unlock-button').disabled = false;
  tellAtGate(reason ?? null);
  byId('token').value = '';
  byId('token').focus();
}

function tick() {
  if (token === null) return;
  if (Date.now() - lastUse >= idleLimit) return lock('Locked after 15 minutes without use.');
  showFreshness();
  tickTimes();
}

function start() {
  byId('unlock').addEventListener('submit', (event) => {
    event.preventDefault();
    unlock();
  });
  byId('lock').addEventListener('click', () => lock());
  byId('older').addEventListener('click', readOlder);
  byId('other').addEventListener('click', openOther);
  for (const name of ['keydown', 'pointerdown', 'input']) {
    document.addEventListener(name, () => { lastUse = Date.now(); }, { capture: true, passive: true });
  }
  document.addEventListener('visibilitychange', refreshIfVisible);
  // A browser may keep a page that was left, and show it again.
  window.addEventListener('pagehide', () => lock());
  setInterval(tick, 1000);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  byId('insecure').hidden = location.protocol === 'https:' || isLocal;
  byId('token').focus();
}

start();
