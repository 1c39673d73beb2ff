#if Server
extension ConsoleStyle {
    /// The bar, the apps and the journal.
    static let parts = #"""
        .bar {
          position: sticky;
          top: 0;
          z-index: 1;
          display: flex;
          align-items: center;
          gap: var(--gap);
          min-height: 3.25rem;
          padding: 0.4rem max(1rem, calc((100% - 84rem) / 2));
          border-bottom: 1px solid var(--line);
          background: var(--surface);
        }
        .bar h1 { display: flex; align-items: center; gap: 0.55rem; font-size: 1rem; font-weight: 650; flex: 1; }
        .bar h1 span { color: var(--quiet); font-weight: 450; }
        .freshness { display: flex; align-items: center; gap: 0.45rem; color: var(--quiet); font-size: var(--small);
          white-space: nowrap; }
        .freshness .dot { width: 0.55rem; height: 0.55rem; border-radius: 50%; background: var(--live); }
        .freshness.bad { color: var(--paused); font-weight: 600; }
        .freshness.bad .dot { border-radius: 0; background: var(--paused); }

        .gate { max-width: 27rem; margin: 0 auto; padding: clamp(1.5rem, 10vh, 7rem) 1rem 2rem; }
        .gate form {
          display: grid;
          gap: 0.7rem;
          padding: 1.4rem;
          border: 1px solid var(--line);
          border-radius: 14px;
          background: var(--surface);
          box-shadow: var(--shadow);
        }
        .gate h2 { font-size: 1.25rem; }
        .gate label { font-weight: 600; }
        .gate .quiet { font-size: var(--small); }
        .gate code { color: var(--text); }

        .desk { display: grid; gap: 1.6rem; max-width: 86rem; margin: 0 auto; padding: 1.1rem 1rem 5rem; }
        .desk > * { min-width: 0; }
        .desk h2 { margin-bottom: 0.6rem; }
        #notices { display: grid; gap: 0.6rem; }
        #notices:empty { display: none; }

        .notice { padding: 0.65rem 0.85rem; border: 1px solid var(--line); border-left: 4px solid var(--control);
          border-radius: 8px; background: var(--surface); overflow-wrap: anywhere; }
        .notice.bad { border-left-color: var(--paused); }
        .notice.bad strong { color: var(--paused); }
        .notice.warn { border-left-color: var(--update); }
        .notice.good { border-left-color: var(--live); }
        .notice ul { padding-left: 1.1rem; list-style: disc; }

        .figures {
          display: grid;
          grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr));
          gap: 1px;
          overflow: hidden;
          border: 1px solid var(--line);
          border-radius: var(--round);
          background: var(--line);
        }
        .figures > div { padding: 0.6rem 0.9rem; background: var(--surface); }
        .figures dt { color: var(--quiet); font-size: var(--small); }
        .figures dd { font-size: 1.25rem; font-weight: 600; line-height: 1.3; }
        .figures dd.good { color: var(--live); }
        .figures dd.bad { color: var(--paused); }

        .heading { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.8rem; margin-bottom: 0.7rem; }
        .heading h2 { margin: 0; }
        .heading .quiet { flex: 1; }

        .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: var(--gap); }
        .card {
          display: flex;
          flex-direction: column;
          gap: 0.6rem;
          min-width: 0;
          padding: 0.9rem 1rem 1rem;
          border: 1px solid var(--line);
          border-radius: var(--round);
          background: var(--surface);
          box-shadow: var(--shadow);
        }
        .card.paused { border-color: var(--paused); }
        .card.update { border-color: var(--update); }
        .card .top { display: flex; align-items: center; gap: 0.6rem; }
        .card h3 { flex: 1; min-width: 0; font-size: 1rem; font-weight: 650; }
        .card h3 .channel { color: var(--quiet); font-weight: 450; }
        .card .told { padding: 0.5rem 0.7rem; border-radius: 6px; background: var(--raised); font-size: 1rem; max-height: 11rem;
          overflow: auto; }
        .card .actions { display: flex; gap: 0.5rem; margin-top: auto; padding-top: 0.2rem; }
        .card .actions button { flex: 1; padding: 0 0.4rem; }

        @media (min-width: 62rem) {
          #proposal-list { grid-template-columns: minmax(0, 1fr); }
          .proposal {
            display: grid;
            grid-template-columns: minmax(0, 5fr) minmax(0, 6fr) auto;
            gap: 0.6rem 1.6rem;
            align-items: start;
          }
          .proposal .top, .proposal .told { grid-column: 1; }
          .proposal .facts { grid-column: 2; grid-row: 1 / span 2; grid-template-columns: 1fr 1fr; column-gap: 1rem; }
          .proposal .actions { grid-column: 3; grid-row: 1 / span 2; margin: 0; padding: 0; }
          .proposal .actions button { min-width: 7rem; }
        }

        .badge {
          display: inline-flex;
          align-items: center;
          gap: 0.35rem;
          padding: 0.1rem 0.55rem;
          border: 1px solid currentColor;
          border-radius: 999px;
          font-size: var(--small);
          font-weight: 700;
          letter-spacing: 0.03em;
          white-space: nowrap;
        }
        .badge.live { background: var(--live-tint); color: var(--live); }
        .badge.paused { background: var(--paused-tint); color: var(--paused); border-radius: 5px; }
        .badge.update { background: var(--update-tint); color: var(--update); border-radius: 5px; }
        .badge.proposed,
        .badge.unknown { background: var(--raised); color: var(--quiet); border-style: dashed; }

        .facts { display: grid; gap: 0.12rem; }
        .facts > div { display: grid; grid-template-columns: 4.6rem minmax(0, 1fr); gap: 0.5rem; }
        .facts dt { color: var(--quiet); }
        .facts dd { unicode-bidi: isolate; }

        .rows { border: 1px solid var(--line); border-radius: var(--round); background: var(--surface); overflow: hidden; }
        .rows:empty { display: none; }
        .rows li {
          display: grid;
          grid-template-columns: 3.4rem 12rem minmax(7rem, 12rem) minmax(8rem, 14rem) minmax(0, 1fr) 11.5rem;
          gap: 0.1rem 0.8rem;
          padding: 0.42rem 0.9rem;
          border-top: 1px solid var(--line);
        }
        .rows li:first-child { border-top: 0; }
        .rows .id, .rows .at { color: var(--quiet); }
        .rows .at { text-align: right; }
        .rows .what { font-weight: 600; }
        .rows .what.kill { color: var(--paused); }
        .rows .what.update { color: var(--update); }
        .rows .what.restore { color: var(--live); }
        #older, #other { margin-top: 0.8rem; }

        @media (max-width: 62rem) {
          .rows li {
            grid-template-columns: auto minmax(5rem, auto) minmax(40%, 1fr);
            grid-template-areas: "id what subject" "why why why" "who at at";
          }
          .rows .id { grid-area: id; }
          .rows .what { grid-area: what; }
          .rows .at { grid-area: at; justify-self: end; white-space: nowrap; }
          .rows .subject { grid-area: subject; text-align: right; }
          .rows .why { grid-area: why; }
          .rows .why:empty { display: none; }
          .rows .who, .rows .at { color: var(--quiet); font-size: var(--small); }
          .rows .who { grid-area: who; }
        }

        footer h2 { font-size: 0.9375rem; }
        .keys { display: flex; flex-wrap: wrap; gap: 0.35rem 1.4rem; margin-bottom: 0.6rem; color: var(--quiet); }
        kbd {
          padding: 0.05rem 0.35rem;
          border: 1px solid var(--line);
          border-bottom-width: 2px;
          border-radius: 5px;
          background: var(--surface);
          color: var(--text);
        }

        """#

    static let dialogs = #"""
        dialog {
          width: min(36rem, calc(100vw - 1.5rem));
          max-height: calc(100dvh - 1.5rem);
          padding: 1.2rem 1.25rem 1.25rem;
          overflow: auto;
          border: 1px solid var(--line);
          border-radius: 14px;
          background: var(--surface);
          color: var(--text);
          box-shadow: 0 12px 40px rgb(0 0 0 / 30%);
        }
        dialog::backdrop { background: var(--shade); }
        dialog h2 { margin-bottom: 0.35rem; font-size: 1.1875rem; }
        dialog form { display: grid; gap: 0.85rem; margin-top: 0.9rem; }
        .field { display: grid; gap: 0.25rem; }
        .field label, summary { font-weight: 600; }
        .hint { font-size: var(--small); }
        details .field { margin-top: 0.7rem; }
        summary { padding: 0.2rem 0; cursor: pointer; }
        .check { display: flex; align-items: center; gap: 0.6rem; }
        .problem:empty { display: none; }
        .buttons { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.6rem; }
        .question { margin: 1rem 0 0.6rem; font-size: 1.0625rem; font-weight: 650; }
        .review { gap: 0.35rem; margin-top: 0.8rem; }
        .review > div, dialog .review > div { grid-template-columns: 5.2rem minmax(0, 1fr); }
        .review .told { display: block; }
        .review code { color: var(--quiet); }
        .review .badge { white-space: normal; }
        dialog .problem { margin-top: 0.8rem; }
        dialog form .problem { margin-top: 0; }
        dialog > .problem:has(+ .buttons), dialog > .problem + .quiet { margin-bottom: 1rem; }

        .toast {
          position: fixed;
          right: 1rem;
          bottom: 1rem;
          left: 1rem;
          z-index: 2;
          display: grid;
          grid-template-columns: minmax(0, auto);
          justify-content: center;
          pointer-events: none;
        }
        .toast > * { display: flex; align-items: center; gap: 1rem; max-width: 44rem; box-shadow: 0 6px 24px rgb(0 0 0 / 25%);
          pointer-events: auto; }
        .toast p { color: var(--quiet); }

        @media (max-width: 40rem) {
          .bar { gap: 0.7rem; }
          .bar h1 span { display: none; }
          #other, #older { width: 100%; }
          .figures { grid-template-columns: 1fr 1fr; }
          .buttons button { flex: 1 0 auto; }
          .facts > div { grid-template-columns: 4.2rem minmax(0, 1fr); }
        }
        @media (max-width: 22rem) {
          .bar { gap: 0.4rem; padding: 0.4rem 0.6rem; }
        }

        """#
}
#endif
