// MARK: Proposals

function showProposals() {
  byId('proposals').hidden = state.proposals.length === 0;
  fill(byId('proposal-list'), JSON.stringify(state.proposals), () => state.proposals.map((proposal) => {
    const rule = proposal.ruleChange;
    const told = rule ? {} : readDocument(proposal.document);
    const name = `#${proposal.id} ${proposalName(proposal)}`;
    return element('article', { class: 'card proposal', 'aria-label': `Proposal ${name}` },
      element('div', { class: 'top' },
        rule ? element('h3', {}, name) : element('h3', {}, `#${proposal.id} ${proposal.action} `, nameParts(proposal)),
        element('div', { class: 'status' }, element('span', { class: 'badge proposed' }, 'PROPOSED'))),
      told.message && element('p', { class: 'told' }, told.message),
      element('dl', { class: 'facts' }, factRows([
        ['rule', rule && ruleText(rule.to)], ['now', rule && ruleText(rule.from)],
        ['by', proposal.proposedBy], ['at', time(proposal.proposedAt)], ['why', proposal.reason ?? '–'],
        ['for', !rule && proposal.action !== 'restore' && (proposal.endsAfter ? durationText(proposal.endsAfter)
          : 'until it is restored')],
        ['version', told.version && `${told.version} or later`], ['get it', told.url],
        ['expires', time(proposal.expiresAt, 'until')],
      ])),
      element('div', { class: 'actions' },
        button('Approve…', () => openApproval(proposal), { class: proposal.action, 'aria-label': `Approve ${name}` }),
        button('Reject…', () => openRejection(proposal), { 'aria-label': `Reject ${name}` })));
  }));
}

const proposalName = (proposal) => proposal.ruleChange ? 'change the rule of two persons'
  : `${proposal.action} ${scopeName(proposal)}`;

const ruleText = ({ apps, lifetime }) => apps === '' ? 'no status takes two persons'
  : `statuses of ${apps === '*' ? 'all apps' : apps.replaceAll(',', ', ')} take two persons; `
    + `a proposal is valid for ${durationText(lifetime)}`;

async function openApproval(proposal) {
  clearToast();
  const rule = proposal.ruleChange;
  const no = button('No', () => {
    closeDialog();
    toast('', rule ? 'Nothing was changed.' : 'Nothing was published.');
  });
  const send = { method: 'POST', path: `v1/proposals/${proposal.id}/approve`, key: requestKey(), what: 'approval' };
  try {
    const { question, facts } = await askJSON('GET', `v1/proposals/${proposal.id}`, { query: { review: 'true' } });
    openDialog(`Approve #${proposal.id}`, [
      reviewFacts(facts),
      element('div', { class: 'problem' }),
      element('p', { class: 'question', id: 'question' }, question),
      element('div', { class: 'buttons', role: 'group', 'aria-labelledby': 'question' }, no,
        button(rule ? 'Change' : 'Publish', () => publish(send), { class: `primary ${proposal.action ?? ''}` })),
    ], { focus: no });
  } catch (failure) {
    if (failure.kind !== 'locked') tellProblem(problem(failure.message, failure.hint));
  }
}

function openRejection(proposal) {
  clearToast();
  const reason = textInput('');
  openDialog(`Reject #${proposal.id}`, [
    element('p', { class: 'quiet' }, `${proposal.proposedBy} has proposed to ${proposalName(proposal)}. `,
      'A rejected proposal is not carried out.'),
    element('form', {
      submit: (event) => {
        event.preventDefault();
        reject(proposal, reason.value.trim());
      },
    }, field('Reason', reason, 'For the journal.'), element('div', { class: 'problem' }),
      element('div', { class: 'buttons' }, button('Cancel', closeDialog),
        element('button', { type: 'submit', class: 'primary' }, 'Reject')))]);
}

// A repeated rejection changes nothing, so it needs no key.
async function reject(proposal, reason) {
  setBusy(true);
  try {
    await ask('POST', `v1/proposals/${proposal.id}/reject`, { query: { reason: reason === '' ? null : reason } });
    setBusy(false);
    closeDialog();
    const what = proposal.ruleChange ? 'rule of two persons' : `${scopeName(proposal)} ${proposal.action}`;
    toast('good', `#${proposal.id}  ${what} rejected; nothing was ${proposal.ruleChange ? 'changed' : 'published'}`);
    await refresh();
    keepFocus();
  } catch (failure) {
    setBusy(false);
    if (failure.kind === 'locked') return;
    tellProblem(problem(failure.message, failure.kind === 'lost' ? 'It is safe to reject it again.' : failure.hint));
  }
}
