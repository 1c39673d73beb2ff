// MARK: Journal

const pageSize = 50;
let rows = [];
let hasOlder = true;
let readingOlder = false;

async function readJournal() {
  if (rows.length === 0) {
    rows = await askJSON('GET', 'v1/journal', { query: { limit: pageSize } });
    hasOlder = rows.length === pageSize;
    return;
  }
  const newer = await askJSON('GET', 'v1/journal', { query: { after: rows[0].id } });
  rows = [...newer.reverse(), ...rows];
}

async function readOlder() {
  if (readingOlder) return;
  readingOlder = true;
  try {
    const older = await askJSON('GET', 'v1/journal', { query: { before: rows.at(-1)?.id, limit: pageSize } });
    rows = [...rows, ...older];
    hasOlder = older.length === pageSize;
  } catch (failure) {
    if (failure.kind !== 'locked') toast('bad', failure.message, failure.hint);
  } finally {
    readingOlder = false;
  }
  if (token === null) return;
  const focused = document.activeElement === byId('older');
  showRows();
  if (!hasOlder && focused) byId('journal-title').focus();
}

function showRows() {
  fill(byId('rows'), `${rows[0]?.id}-${rows.length}`, () => rows.map((row) =>
    element('li', {},
      element('span', { class: 'id' }, `#${row.id}`),
      element('span', { class: `what ${row.action}` }, what(row)),
      element('span', { class: 'subject' }, subject(row)),
      element('span', { class: 'who' }, by(row)),
      element('span', { class: 'why' }, row.reason ?? ''),
      element('time', { class: 'at', datetime: row.at, title: relativeText(row.at) }, timeText(row.at)))));
  byId('older').hidden = !hasOlder;
}

function what(row) {
  if (row.subject) return `${row.action} ${row.proposal ? `#${row.proposal}` : row.subject.split(' ').at(-1)}`;
  if (row.breakGlass === true) return `${row.action}, alone (break glass)`;
  if (row.endsAt && !row.plan?.base.row) return `${row.action} for ${durationText((Date.parse(row.endsAt) - Date.parse(row.at)) / 1000)}`;
  if (row.fromVersion) return `${row.action} to v${row.fromVersion}`;
  return row.action;
}

function subject(row) {
  if (row.app && row.channel) return `${row.app}/${row.channel}`;
  if (row.subject) return row.subject.split(' ')[0];
  if (row.resource) return row.version ? `${row.resource} v${row.version}` : row.resource;
  return row.token ? `token ${row.token}` : '–';
}
