// MARK: Rules

// The rules of a document with their times, in milliseconds; those without a beginning hold now.
function rulesOf(text) {
  try {
    const list = JSON.parse(text).rules;
    return (Array.isArray(list) ? list : []).filter((rule) => typeof rule?.id === 'string').map((rule) => ({
      ...rule, begin: Date.parse(rule.from ?? '') || null, end: Date.parse(rule.until ?? '') || null,
      told: Date.parse(rule.announce ?? '') || null }));
  } catch {
    return [];
  }
}

const effects = { pause: 'paused', update: 'update', notice: 'notice', offer: 'notice' };

function ruleState(rule) {
  const now = serverNow();
  if (rule.end !== null && rule.end <= now) return 'is over';
  if (rule.begin === null || rule.begin <= now) return 'holds';
  return rule.told !== null && rule.told <= now ? 'is announced' : 'waits';
}

function ruleWords(rule) {
  const times = [rule.begin && ['from ', timeText(rule.begin)], rule.end && [' until ', timeText(rule.end)]];
  return [`${rule.id}: ${rule.effect}, ${ruleState(rule)} `, element('span', { class: 'quiet' }, times.filter(Boolean))];
}

// The rules as bars on a line of time, from now to the last time that any of them names. Words beside it say the same.
function timeline(rules) {
  const now = serverNow();
  const times = rules.flatMap((rule) => [rule.told, rule.begin, rule.end]).filter((one) => one !== null && one > now);
  const last = times.length === 0 ? now + 86400000 : now + (Math.max(...times) - now) * 1.1;
  const place = (one) => Math.max(0, Math.min(1000, Math.round((one - now) / (last - now) * 1000)));
  const shape = (tag, attributes) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const picture = shape('svg', { viewBox: `0 0 1000 ${rules.length * 30}`, preserveAspectRatio: 'none', 'aria-hidden': 'true',
    class: 'timeline', height: rules.length * 18 });
  rules.forEach((rule, index) => {
    const bar = (from, to, kind) => picture.append(shape('rect', { x: place(from), y: index * 30 + 6, height: 18,
      width: Math.max(4, place(to) - place(from)), class: `${effects[rule.effect] ?? 'notice'} ${kind}` }));
    const begin = rule.begin ?? now;
    if (rule.told !== null && rule.told < begin) bar(rule.told, begin, 'told');
    bar(begin, rule.end ?? last, 'holds');
  });
  return element('div', { class: 'plan' }, element('div', { class: 'scale quiet' },
    element('span', {}, 'now'), element('span', {}, timeText(last).slice(0, 16))), picture);
}

// A card's line about the rules of its status.
function ruleFacts(text) {
  const rules = rulesOf(text);
  return rules.length > 0 && element('ul', { class: 'rules' }, rules.map((rule) => element('li', {}, ruleWords(rule))));
}

// MARK: The plan of a scope

async function openPlan(scope) {
  clearToast();
  openDialog(`Rules of ${scopeName(scope)}`, [element('p', { class: 'quiet' }, 'Reading…'),
    element('div', { class: 'buttons' }, button('Close', closeDialog))]);
  try {
    showPlan(scope, await askJSON('GET', 'v1/plan', { query: scope }));
  } catch (failure) {
    if (failure.kind === 'locked') return;
    openDialog(`Rules of ${scopeName(scope)}`, [problem(failure.message, failure.hint),
      element('div', { class: 'buttons' }, button('Close', closeDialog))]);
  }
}

function showPlan(scope, plan) {
  const rules = rulesOf(plan.document);
  const own = new Set(plan.ids);
  const remove = (rule) => button('Remove…', () => review(planDraft(scope, { remove: [rule.id] })), { class: 'small',
    'aria-label': `Remove ${rule.id}` });
  const list = rules.map((rule) => element('li', {}, element('span', {}, ruleWords(rule)),
    own.has(rule.id) ? remove(rule) : element('span', { class: 'quiet' }, ' of the whole app')));
  const forms = Object.entries(planForms).map(([kind, form]) => button(`${form.title}…`, () => openPlanForm(scope, kind)));
  openDialog(`Rules of ${scopeName(scope)}`, [
    rules.length === 0 ? element('p', {}, 'It has no rules.') : [timeline(rules), element('ul', { class: 'rules' }, list)],
    element('h3', {}, 'What holds, by version and time'), element('pre', { class: 'table', tabindex: '0' }, plan.matrix),
    element('div', { class: 'problem' }),
    element('div', { class: 'buttons' }, button('Close', closeDialog), forms),
  ]);
}

// MARK: Forms for the commonest rules

const planForms = {
  update: {
    title: 'Require a version',
    fields: [
      ['below', 'Below version', 'Every version below it is covered, such as 1.5.2.'],
      ['to', 'Version to have', 'Empty: the same.'],
      ['from', 'From', 'UTC, such as 2026-12-15 00:00. Empty: at once.'],
      ['announce', 'Announce before', 'Such as 14d. Empty: not announced.'],
      ['share', 'Share', 'Such as 10%. Empty: all of them.'],
      ['message', 'Message', 'What people read.'],
    ],
    rule: (form) => ({ id: form.id || `min-${slug(form.below)}`, effect: 'update',
      only: { versions: [{ below: need(form.below, 'Below version') }], ...(form.share && { share: form.share }) },
      to: form.to || form.below, ...begin(form), ...text(form) }),
  },
  window: {
    title: 'Announce a window',
    fields: [
      ['from', 'Begin', 'UTC, such as 2026-12-05 22:00.'],
      ['length', 'Length', 'Such as 90m.'],
      ['announce', 'Announce before', 'Such as 24h. Empty: not announced.'],
      ['message', 'Message', 'What people read.'],
    ],
    everyone: 'Everybody is stopped while it lasts.',
    rule: (form) => {
      const from = instant(need(form.from, 'Begin'), 'Begin');
      return { id: form.id || `mw-${slug(planTime(from).slice(0, 16))}`, effect: 'pause', ...begin(form),
        until: planTime(from + seconds(need(form.length, 'Length'), 'Length') * 1000), ...text(form) };
    },
  },
  notice: {
    title: 'Notice',
    fields: [
      ['message', 'Message', 'One line for people whose program runs on.'],
      ['below', 'Below version', 'Empty: every version.'],
      ['length', 'End after', 'Such as 3d. Empty: until it is removed.'],
    ],
    rule: (form) => ({ id: form.id || `notice-${slug(planTime(serverNow()).slice(0, 16))}`, effect: 'notice',
      ...(form.below && { only: { versions: [{ below: form.below }] } }),
      ...(form.length && { until: planTime(serverNow() + seconds(form.length, 'End after') * 1000) }),
      message: need(form.message, 'Message'), ...messagesOf(form.messages) }),
  },
};

class FormProblem extends Error {}

const slug = (value) => value.toLowerCase().replace(/[^a-z0-9.]+/g, '-').replace(/^[-.]+|-+$/g, '');
const planTime = (at) => `${new Date(at).toISOString().slice(0, 19)}Z`;
const text = (form) => ({ ...(form.message && { message: form.message }), ...messagesOf(form.messages) });

function need(value, name) {
  if (!value) throw new FormProblem(`${name} is missing.`);
  return value;
}

function seconds(value, name) {
  const found = durationSeconds(value);
  if (!found) throw new FormProblem(`${name}: “${value}” is no time. Write a time such as 90m, 24h or 14d.`);
  return found;
}

// A time in UTC.
function instant(value, name) {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?Z?)?$/.exec(value);
  const found = match ? Date.parse(`${match[1]}T${match[2] ?? '00:00'}${match[3] ?? ':00'}Z`) : NaN;
  if (Number.isNaN(found)) throw new FormProblem(`${name}: “${value}” is no time. Write a time such as 2026-12-05 22:00.`);
  return found;
}

function begin(form) {
  if (!form.from) return {};
  const from = instant(form.from, 'From');
  return { from: planTime(from),
    ...(form.announce && { announce: planTime(from - seconds(form.announce, 'Announce before') * 1000) }) };
}

const planDraft = (scope, rules, more) => ({ scope, action: 'rules', isNew: false, way: 'publish', rules, reason: '', ...more });

function openPlanForm(scope, kind, values = {}) {
  const form = planForms[kind];
  const controls = Object.fromEntries(form.fields.map(([name]) => [name, name === 'message'
    ? element('textarea', { rows: '2', autocomplete: 'off' }, values[name] ?? '')
    : textInput(values[name], { autocapitalize: 'none', spellcheck: 'false' })]));
  const others = translations(values.translations);
  const [reason, id] = [textInput(values.reason), textInput(values.id, { autocapitalize: 'none', spellcheck: 'false' })];
  const way = wayControl({ action: 'rules', way: values.way ?? 'publish' });
  openDialog(`${form.title}: ${scopeName(scope)}`, [presently(scope), element('form', {
    submit: (event) => {
      event.preventDefault();
      const filled = Object.fromEntries(Object.entries({ ...controls, reason, id })
        .map(([name, control]) => [name, control.value.trim()]));
      Object.assign(filled, { way: way.value, translations: others.typed() });
      try {
        filled.messages = others.messages();
        review(planDraft(scope, { put: [form.rule(filled)], ...(form.everyone && { everyone: true }) },
          { reason: filled.reason, way: way.value, again: () => openPlanForm(scope, kind, filled) }));
      } catch (failure) {
        if (!(failure instanceof FormProblem)) throw failure;
        tellProblem(problem(failure.message));
      }
    },
  },
    form.everyone && element('p', {}, form.everyone),
    form.fields.map(([name, label, hint]) => [field(label, controls[name], hint), name === 'message' && others.node]),
    field('Reason', reason, 'For the journal.'),
    element('details', { open: way.value !== 'publish' || Boolean(values.id) }, element('summary', {}, 'More'),
      field('Name of the rule', id, 'Empty: one that says what it does. A rule of the same name is replaced.'), field('How', way)),
    element('div', { class: 'problem' }),
    element('div', { class: 'buttons' }, button('Cancel', closeDialog),
      element('button', { type: 'submit', class: 'primary' }, 'Review…')))]);
}

// Shows what a change of rules does, and asks.
async function review(draft) {
  const body = { action: 'rules', rules: draft.rules, ...(draft.reason && { reason: draft.reason }) };
  const send = { method: 'PUT', path: statusPath(draft.scope), query: {}, body, key: requestKey(), draft };
  setBusy(true);
  try {
    await readStatus(draft.scope);
    const follows = shownRow(draft.scope);
    const found = await askJSON('PUT', send.path, { query: { review: 'true' }, body });
    setBusy(false);
    const query = draft.way === 'propose' ? { propose: 'true' } : { follows };
    showReview({ ...send, query }, found);
  } catch (failure) {
    setBusy(false);
    if (failure.kind === 'locked') return;
    tellProblem(problem(failure.message, failure.hint, element('p', {}, 'Nothing was published.')));
    markNamed(failure.message);
  }
}

// What a review says of rules: remarks, the difference in words, the tables before and after, and the picture of the view.
function planReview(plan) {
  if (!plan) return [];
  const table = (title, value) => value && [element('h3', {}, title), element('pre', { class: 'table', tabindex: '0' }, value)];
  return [
    plan.findings.map((one) => element('p', { class: `notice ${one.level === 'error' ? 'bad' : 'warn'}` },
      element('strong', {}, sentence(one.text)), one.hint && ` ${sentence(one.hint)}.`)),
    plan.difference.length > 0 && [element('h3', {}, 'What changes'),
      element('ul', { class: 'rules' }, plan.difference.map((line) => element('li', {}, line)))],
    table('Now', plan.former), table('Then', plan.newer), table('What people see', plan.picture),
  ];
}
