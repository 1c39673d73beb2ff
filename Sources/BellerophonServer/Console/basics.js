// The console of bellerophon-server. It uses no library and no address but the server's own.

const byId = (id) => document.getElementById(id);

// Children are elements or text. Text never becomes markup.
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return made;
}

function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

const button = (label, press, attributes) => element('button', { type: 'button', click: press, ...attributes }, label);

// Rebuilds the children of an element only if what they show has changed, so that focus and selection stay.
function fill(target, key, make) {
  if (target.dataset.key === key) return;
  target.dataset.key = key;
  target.replaceChildren(...make());
}

// The server's texts begin with a small letter.
const sentence = (text) => typeof text === 'string' ? text.charAt(0).toUpperCase() + text.slice(1) : text;

// MARK: Times

// The server's clock minus this one's, in milliseconds.
let clockLead = 0;
const serverNow = () => Date.now() + clockLead;
const units = [['d', 86400], ['h', 3600], ['m', 60], ['s', 1]];

// The two largest units, such as "1h 30m".
function durationText(seconds) {
  let rest = Math.max(0, Math.floor(seconds));
  const parts = [];
  for (const [letter, size] of units) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)}${letter}`);
    rest %= size;
  }
  return parts.length === 0 ? '0s' : parts.slice(0, 2).join(' ');
}

// Seconds of a text such as "90s", "2h", "1h30m" or "3d"; undefined if it is something else.
function durationSeconds(text) {
  const match = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/.exec(text.trim());
  if (!match || text.trim() === '') return undefined;
  return units.reduce((sum, [, size], index) => sum + Number(match[index + 1] ?? 0) * size, 0);
}

// "2026-11-21 14:02:11Z"
const timeText = (date) => `${new Date(date).toISOString().slice(0, 19).replace('T', ' ')}Z`;

function relativeText(date, direction) {
  const seconds = (serverNow() - new Date(date).getTime()) / 1000;
  if (direction === 'until') return seconds < 0 ? `in ${durationText(-seconds)}` : 'now';
  return seconds < 1 ? 'just now' : `${durationText(seconds)} ago`;
}

// A relative time, which `tick` keeps up to date; the absolute one is its title.
function time(date, direction = 'since') {
  const iso = new Date(date).toISOString();
  return element('time', { datetime: iso, title: timeText(date), 'data-tick': direction }, relativeText(date, direction));
}

function tickTimes() {
  for (const shown of document.querySelectorAll('time[data-tick]')) {
    setText(shown, relativeText(shown.dateTime, shown.dataset.tick));
  }
}

// MARK: Statuses

const stages = {
  live: { glyph: '●', word: 'LIVE', label: '● LIVE' },
  paused: { glyph: '■', word: 'PAUSED', label: '■ PAUSED' },
  update: { glyph: '▲', word: 'UPDATE', label: '▲ UPDATE REQUIRED' },
  unknown: { glyph: '?', word: 'NO STATUS', label: '? NO STATUS DOCUMENT' },
};

const badge = (stage, text) =>
  element('span', { class: `badge ${stage}` }, element('span', { 'aria-hidden': 'true' }, stages[stage].glyph),
    text ?? stages[stage].word);

// A status document, as clients read it: a required update takes precedence over a kill.
function readDocument(text) {
  try {
    const fields = JSON.parse(text);
    const stage = fields.forceUpdate === true ? 'update' : fields.apiInactive === true ? 'paused' : 'live';
    return { stage, message: fields.userMessage ?? null, version: fields.requiredVersion ?? null,
      url: fields.updateURL ?? null, interval: fields.retryInterval ?? null, back: fields.backAt ?? null, text };
  } catch {
    return { stage: 'unknown', message: null, version: null, url: null, interval: null, back: null, text };
  }
}

const scopeName = (scope) => `${scope.app}/${scope.channel}`;
const isMain = (scope) => scope.channel === 'main';
const audience = (scope) => isMain(scope) ? `the app ${scope.app}, every channel`
  : `the channel ${scope.channel} of the app ${scope.app}, no other channel`;

// The path of the status. It is relative to the page's address.
function statusPath(scope) {
  const app = encodeURIComponent(scope.app);
  if (!isMain(scope)) return `v1/apps/${app}/channels/${encodeURIComponent(scope.channel)}/status`;
  return scope.app === 'default' ? 'status' : `v1/apps/${app}/status`;
}
