// MARK: Kill, update, restore

const verbs = { kill: 'Kill', update: 'Require an update of', restore: 'Restore' };
const titles = { ...verbs, rules: 'Change rules of' };

function openAction(scope, action, isNew = false) {
  clearToast();
  const empty = { message: '', length: '', reason: '', version: '', url: '', interval: '', translations: [] };
  showForm({ scope, action, isNew, way: 'publish', ...empty });
}

function showForm(draft, focusReason = false) {
  const { scope, action } = draft;
  draft.seen = shownRow(scope);
  const stops = action !== 'restore';
  const message = element('textarea', { rows: '3', autocomplete: 'off' }, draft.message);
  const others = translations(draft.translations);
  const length = textInput(draft.length, { autocapitalize: 'none', spellcheck: 'false' });
  const reason = textInput(draft.reason);
  const version = textInput(draft.version, { autocapitalize: 'none', spellcheck: 'false' });
  const url = textInput(draft.url, { inputmode: 'url', autocapitalize: 'none', spellcheck: 'false' });
  const checks = textInput(draft.interval, { inputmode: 'numeric' });
  const way = wayControl(draft);
  const submit = element('button', { type: 'submit', class: 'primary' }, '');
  const label = () => setText(submit, way.value === 'propose' ? 'Propose' : stops ? 'Review…' : 'Restore');
  way.addEventListener('change', label);
  label();
  const form = element('form', {
    submit: (event) => {
      event.preventDefault();
      Object.assign(draft, { message: message.value, length: length.value, reason: reason.value });
      Object.assign(draft, { version: version.value, url: url.value, interval: checks.value, way: way.value });
      draft.translations = others.typed();
      try {
        draft.messages = others.messages();
      } catch (failure) {
        if (!(failure instanceof FormProblem)) throw failure;
        return tellProblem(problem(failure.message));
      }
      submitForm(draft);
    },
  },
    action === 'update' && field('Required version', version, 'The oldest version that still runs, such as 1.5.2.'),
    action === 'update' && field('Where to get it', url, 'An http or https address, such as https://example.com/get.'),
    stops && field('Message', message, 'What people read on their screens.'),
    stops && others.node,
    stops && field('End after', length, 'Such as 90s, 2h, 1h30m or 3d. Empty: until it is restored.'),
    field('Reason', reason, 'For the journal.'),
    element('details', { open: draft.way !== 'publish' || draft.interval !== '' }, element('summary', {}, 'More'),
      field('Seconds between two checks of a client', checks,
        `1 to 86400. Empty: ${action === 'kill' ? 15 : 60}.`), field('How', way)),
    element('div', { class: 'problem' }),
    element('div', { class: 'buttons' }, button('Cancel', closeDialog), submit));
  openDialog(`${verbs[action]} ${scopeName(scope)}`, [presently(scope, action), form], { focus: focusReason ? reason : null });
}

function presently(scope, action) {
  const status = state.statuses.get(scopeName(scope));
  const ended = action === 'restore' ? status?.standing ?? [] : [];
  const now = element('p', { class: 'quiet' }, `${audience(scope)[0].toUpperCase()}${audience(scope).slice(1)}. Now: `,
    status ? [badge(status.told.stage), status.since ? [' since ', timeText(status.since)] : []]
      : 'nothing was published for it yet');
  return [now, ended.length > 0 && element('p', {}, 'This ends:'),
    ended.length > 0 && element('ul', { class: 'ended' }, ended.map((one) => element('li', {}, standingText(one))))];
}

function wayControl(draft) {
  const ways = [['publish', 'Publish'], ['propose', 'Propose to a second person']];
  if (draft.action === 'kill') ways.push(['breakGlass', 'Publish alone what takes two persons (break glass)']);
  return element('select', {}, ways.map(([value, label]) =>
    element('option', { value, selected: value === draft.way }, label)));
}

// The body of the request; undefined after a problem was shown.
function publication(draft) {
  const body = { action: draft.action };
  const text = (name, value) => { if (value.trim() !== '') body[name] = value.trim(); };
  text('message', draft.message);
  Object.assign(body, messagesOf(draft.messages ?? {}));
  text('reason', draft.reason);
  text('requiredVersion', draft.version);
  text('updateURL', draft.url);
  if (draft.length.trim() !== '') {
    body.endsAfter = durationSeconds(draft.length);
    if (body.endsAfter === undefined) {
      tellProblem(problem(`End after: “${draft.length}” is no time.`, 'Write a time such as 90s, 2h, 1h30m or 3d.'));
      return undefined;
    }
  }
  if (draft.interval.trim() !== '') {
    body.retryInterval = Number(draft.interval);
    if (!Number.isFinite(body.retryInterval)) {
      tellProblem(problem(`Seconds between two checks: “${draft.interval}” is no number.`,
        'Write a number from 1 to 86400.'));
      return undefined;
    }
  }
  if (draft.way === 'breakGlass' && (!body.reason || body.endsAfter !== undefined)) {
    tellProblem(problem(body.reason ? 'A kill that one person publishes alone has no end of its own.'
      : 'Publishing a kill alone takes a reason.',
    body.reason ? 'Lifting it takes two persons. Leave “End after” empty.' : 'Say why in “Reason”.'));
    return undefined;
  }
  return body;
}

async function submitForm(draft) {
  const body = publication(draft);
  if (!body) return;
  tellProblem();
  const query = { new: draft.isNew ? 'true' : null };
  const send = { method: 'PUT', path: statusPath(draft.scope), query, body, key: requestKey(), draft };
  setBusy(true);
  try {
    // A proposal changes nothing for clients, and the person who approves it is asked. A restore asks nothing.
    if (draft.way === 'propose') {
      const review = await askJSON('PUT', send.path, { query: { ...query, review: 'true' }, body });
      setBusy(false);
      const proposal = { ...send, query: { ...query, propose: 'true', replaces: review.replaces ?? null } };
      return review.replaces ? showReview(proposal, review) : publish(proposal);
    }
    if (draft.action === 'restore') {
      setBusy(false);
      return publish({ ...send, query: { ...query, follows: draft.seen } });
    }
    await readStatus(draft.scope);
    draft.seen = shownRow(draft.scope);
    // Read after the row that the publish follows, so that the person sees at least that row.
    const breakGlass = draft.way === 'breakGlass' ? 'true' : null;
    const review = await askJSON('PUT', send.path, { query: { ...query, review: 'true', breakGlass }, body });
    setBusy(false);
    // A kill without an end is published over anything.
    const follows = draft.action === 'kill' && body.endsAfter === undefined ? null : draft.seen;
    // The question names what it replaces.
    showReview({ ...send, query: { ...query, follows, breakGlass, replaces: review.replaces ?? null } }, review);
  } catch (failure) {
    setBusy(false);
    if (failure.kind === 'locked') return;
    tellProblem(problem(failure.message, failure.hint, element('p', {}, 'Nothing was published.')));
    markNamed(failure.message);
  }
}

// The newest row of an app or a channel, as the page has read it; 0 if there is none.
const shownRow = (scope) => state.statuses.get(scopeName(scope))?.newest?.id ?? 0;

// The facts that the server shows before a change: what will be published, to whom and for how long.
function reviewFacts(facts) {
  const shown = {
    publish: (value) => {
      const stage = Object.keys(stages).find((name) => stages[name].label === value);
      if (!stage) return value;
      return badge(stage, value.slice(2));
    },
    message: (value) => element('span', { class: 'told' }, value),
    document: (value) => element('code', {}, value),
  };
  return element('dl', { class: 'facts review' },
    factRows(facts.map(({ name, value }) => [name, shown[name]?.(value) ?? value])));
}

function showReview(send, { question, facts, plan }) {
  const { draft } = send;
  const back = () => {
    if (draft.again) draft.again(); else if (draft.action === 'rules') return openPlan(draft.scope); else showForm(draft);
    tellProblem(element('p', { class: 'notice', role: 'status' }, 'Nothing was published.'));
  };
  const no = button('No', back);
  const isRefused = plan?.findings.some((one) => one.level === 'error');
  openDialog(`${titles[draft.action]} ${scopeName(draft.scope)}`, [
    reviewFacts(facts), planReview(plan),
    element('div', { class: 'problem' }),
    element('p', { class: 'question', id: 'question' }, question),
    element('div', { class: 'buttons', role: 'group', 'aria-labelledby': 'question' }, no,
      !isRefused && button(draft.way === 'propose' ? 'Propose' : 'Publish', () => publish(send),
        { class: `primary ${draft.action}` })),
  ], { focus: no, dismiss: back });
}

// Sends a change. Its key makes it safe to send it again.
async function publish(send) {
  setBusy(true);
  try {
    const { status, text } = await ask(send.method, send.path,
      { query: send.query, body: send.body, key: send.key, limit: 20000 });
    const result = readJSON(text);
    if (typeof result?.id !== 'number') throw new Failure('lost', 'The reply can’t be read.');
    setBusy(false);
    closeDialog();
    toast('good', status === 202 ? proposedText(result) : publishedText(result));
    await refresh();
    keepFocus();
    remark(send, result);
  } catch (failure) {
    setBusy(false);
    if (failure.kind !== 'locked') showFailure(send, failure);
  }
}

// The button that had the focus may be gone.
function keepFocus() {
  if (token !== null && !dialog.open && document.activeElement === document.body) byId('apps-title').focus();
}

function publishedText(row) {
  if (!row.app) return `#${row.id}  ${row.action}, proposed by ${row.proposedBy}: ${row.reason ?? ''}`;
  const done = { kill: 'killed', update: 'update required', restore: 'restored', rules: 'rules changed' }[row.action] ?? row.action;
  const end = row.endsAt && !row.plan?.base.row ? `, until ${timeText(row.endsAt)}` : '';
  const glass = row.breakGlass === true ? ', alone (break glass); lifting it takes two persons' : '';
  return `#${row.id}  ${subject(row)} ${done}${end}${row.proposedBy ? `, proposed by ${row.proposedBy}` : ''}${glass}`;
}

const proposedText = (proposal) => `#${proposal.id}  ${proposal.app}/${proposal.channel} ${proposal.action} proposed, `
  + `until ${timeText(proposal.expiresAt)}. Nothing is published yet; another person approves it.`;

// What the person may not expect of a change.
function remark(send, row) {
  const status = send.draft && state.statuses.get(scopeName(send.draft.scope));
  if (send.draft?.action === 'restore' && status && !isMain(send.draft.scope) && status.told.stage !== 'live') {
    const stage = stages[status.told.stage].label;
    toast('warn', publishedText(row), `${scopeName(send.draft.scope)} stays stopped: its app is ${stage}.`);
  }
  if (send.query?.breakGlass && row.breakGlass !== true) {
    toast('good', publishedText(row), 'It takes no second person.');
  }
}

// After an unknown outcome the form is gone, so that nobody sends a second request in place of the first one.
function showFailure(send, failure) {
  if (failure.isOutcomeUnknown) return showUnknownOutcome(send, failure);
  if (failure.type === problemTypes.needsApproval && send.draft) return showNeedOfApproval(send, failure);
  if ([problemTypes.overtaken, problemTypes.standing].includes(failure.type) && send.draft) return showOvertaken(send, failure);
  tellProblem(problem(failure.message, failure.hint));
}

// Another person has published meanwhile: the form comes back, with what is there now.
async function showOvertaken(send, failure) {
  await refresh();
  if (token === null) return;
  if (send.draft.action === 'rules') (send.draft.again ?? (() => openPlan(send.draft.scope)))(); else showForm(send.draft);
  tellProblem(problem(failure.message, failure.hint));
}

function showUnknownOutcome(send, failure) {
  const again = button('Send the same request again', () => publish(send), { class: 'primary' });
  const unknown = `It is not known whether the ${changeName(send)} was carried out. `
    + 'The same request can be sent again: the server carries it out once.';
  openDialog('Outcome unknown', [
    element('div', { class: 'problem' }, problem(failure.message,
      [failure.kind !== 'lost' && failure.hint && `${sentence(failure.hint)}. `, unknown])),
    element('p', { class: 'quiet' }, 'Key of the request: ', element('code', {}, send.key)),
    element('div', { class: 'buttons' }, button('Close', closeDialog), again),
  ], { focus: again });
  refresh();
}

function showNeedOfApproval(send, failure) {
  const propose = button('Propose it', () => publish({ ...send, key: requestKey(),
    query: { new: send.query.new, propose: 'true', replaces: send.query.replaces ?? null } }), { class: 'primary' });
  const alone = send.draft.action === 'kill'
    && button('Publish it alone…', () => showForm({ ...send.draft, way: 'breakGlass' }, true));
  openDialog('A second person is needed', [
    element('div', { class: 'problem' }, problem(failure.message, 'Propose it, and another person approves it.'
      + (alone ? ' In an emergency one person publishes a kill alone (break glass), with a reason; the journal tells so.'
        : ''))),
    element('div', { class: 'buttons' }, button('Cancel', closeDialog), alone, propose),
  ], { focus: propose });
}

const changeName = (send) => send.what ?? send.draft.action;

function openOther() {
  clearToast();
  const app = textInput('', { autocapitalize: 'none', spellcheck: 'false' });
  const channel = textInput('main', { autocapitalize: 'none', spellcheck: 'false' });
  const action = element('select', {}, Object.keys(verbs).map((value) => element('option', { value }, value)));
  const isNew = element('input', { type: 'checkbox', id: 'is-new' });
  const name = /^[a-z0-9][a-z0-9._-]{0,63}$/;
  openDialog('Another app or channel', [element('form', {
    submit: (event) => {
      event.preventDefault();
      const scope = { app: app.value.trim() || 'default', channel: channel.value.trim() || 'main' };
      if (name.test(scope.app) && name.test(scope.channel)) return openAction(scope, action.value, isNew.checked);
      tellProblem(problem('This is no name of an app or a channel.',
        '1 to 64 of a-z, 0-9, “.”, “_” and “-”, beginning with a letter or a digit.'));
    },
  },
    field('App', app, 'Empty: default.'),
    field('Channel', channel, 'The channel main is the app itself, with every channel.'),
    field('Action', action),
    element('label', { class: 'check' }, isNew, 'The app or channel is new. Without this, an unknown name is refused.'),
    element('div', { class: 'problem' }),
    element('div', { class: 'buttons' }, button('Cancel', closeDialog),
      element('button', { type: 'submit', class: 'primary' }, 'Continue…')))]);
}
