#if Server
extension ConsoleScript {
    /// What waits for a second person.
    static let proposals = #"""
        // MARK: Proposals

        function showProposals() {
          byId('proposals').hidden = state.proposals.length === 0;
          fill(byId('proposal-list'), JSON.stringify(state.proposals), () => state.proposals.map((proposal) => {
            const told = readDocument(proposal.document);
            const name = `#${proposal.id} ${proposal.action} ${scopeName(proposal)}`;
            return element('article', { class: 'card proposal', 'aria-label': `Proposal ${name}` },
              element('div', { class: 'top' },
                element('h3', {}, `#${proposal.id} ${proposal.action} `, nameParts(proposal)),
                element('div', { class: 'status' }, element('span', { class: 'badge proposed' }, 'PROPOSED'))),
              told.message && element('p', { class: 'told' }, told.message),
              element('dl', { class: 'facts' }, factRows([
                ['by', proposal.proposedBy], ['at', time(proposal.proposedAt)], ['why', proposal.reason ?? '–'],
                ['for', proposal.action !== 'restore' && (proposal.endsAfter ? durationText(proposal.endsAfter)
                  : 'until it is restored')],
                ['version', told.version && `${told.version} or later`], ['get it', told.url],
                ['expires', time(proposal.expiresAt, 'until')],
              ])),
              element('div', { class: 'actions' },
                button('Approve…', () => openApproval(proposal), { class: proposal.action, 'aria-label': `Approve ${name}` }),
                button('Reject…', () => openRejection(proposal), { 'aria-label': `Reject ${name}` })));
          }));
        }

        function openApproval(proposal) {
          clearToast();
          const no = button('No', () => {
            closeDialog();
            toast('', 'Nothing was published.');
          });
          const send = { method: 'POST', path: `v1/proposals/${proposal.id}/approve`, key: requestKey(), what: 'approval' };
          openDialog(`Approve #${proposal.id}`, [
            reviewFacts(proposal, proposal.document, { seconds: proposal.endsAfter, reason: proposal.reason,
              proposedBy: `${proposal.proposedBy}, at ${timeText(proposal.proposedAt)}` }),
            element('div', { class: 'problem' }),
            element('p', { class: 'question', id: 'question' }, 'Publish this?'),
            element('div', { class: 'buttons', role: 'group', 'aria-labelledby': 'question' }, no,
              button('Publish', () => publish(send), { class: `primary ${proposal.action}` })),
          ], { focus: no });
        }

        function openRejection(proposal) {
          clearToast();
          const reason = textInput('');
          openDialog(`Reject #${proposal.id}`, [
            element('p', { class: 'quiet' }, `${proposal.proposedBy} has proposed to ${proposal.action} ${scopeName(proposal)}. `,
              'A rejected proposal is not published.'),
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
            toast('good', `#${proposal.id}  ${scopeName(proposal)} ${proposal.action} rejected; nothing was published`);
            await refresh();
            keepFocus();
          } catch (failure) {
            setBusy(false);
            if (failure.kind === 'locked') return;
            tellProblem(problem(failure.message, failure.kind === 'lost' ? 'It is safe to reject it again.' : failure.hint));
          }
        }

        """#

    /// Unlocking, locking, and the start.
    static let session = #"""
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
        """#
}
#endif
