#if Server
/// The style of the console: tokens for light and dark, then the parts of the page.
enum ConsoleStyle {
    static let text = [tokens, base, parts, dialogs].joined(separator: "\n")

    /// Every pair of text and background that the page uses has a contrast of at least 4.5:1; a test computes it.
    private static let tokens = #"""
        :root {
          color-scheme: light dark;
          --page: #f4f5f7;
          --surface: #ffffff;
          --raised: #f9fafb;
          --line: #d5d9e0;
          --control: #7c8592;
          --text: #1a1e24;
          --quiet: #56606d;
          --accent: #1f57b8;
          --on-accent: #ffffff;
          --live: #12663a;
          --live-tint: #e3f4e9;
          --paused: #a61b1b;
          --paused-tint: #fdeaea;
          --paused-fill: #b42020;
          --update: #7a4b00;
          --update-tint: #fdf1d8;
          --update-fill: #8a5600;
          --focus: #1f57b8;
          --shadow: 0 1px 2px rgb(20 28 40 / 6%), 0 2px 8px rgb(20 28 40 / 5%);
          --shade: rgb(20 26 36 / 45%);
          --small: 0.8125rem;
          --gap: 1rem;
          --round: 10px;
        }

        @media (prefers-color-scheme: dark) {
          :root {
            --page: #0e1116;
            --surface: #161b22;
            --raised: #1c222b;
            --line: #2c3440;
            --control: #6b7685;
            --text: #e7ebf0;
            --quiet: #9da8b6;
            --accent: #8db8ff;
            --on-accent: #0b1a33;
            --live: #74d69a;
            --live-tint: #10301f;
            --paused: #ff9a92;
            --paused-tint: #401a1b;
            --paused-fill: #ff9a92;
            --update: #f2c063;
            --update-tint: #3a2b0e;
            --update-fill: #f2c063;
            --focus: #8db8ff;
            --shadow: 0 1px 2px rgb(0 0 0 / 40%);
            --shade: rgb(0 0 0 / 60%);
          }
        }

        """#

    private static let base = #"""
        *, *::before, *::after { box-sizing: border-box; }

        body {
          margin: 0;
          background: var(--page);
          color: var(--text);
          font: 0.9375rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
          font-variant-numeric: tabular-nums;
          overflow-wrap: break-word;
        }

        [hidden] { display: none !important; }
        h1, h2, h3, p, dl, dd, ul, ol { margin: 0; padding: 0; }
        ul, ol { list-style: none; }
        h2 { font-size: 1.0625rem; font-weight: 650; }
        h2:focus { outline: none; }
        code, kbd { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.92em; }
        .quiet, .hint { color: var(--quiet); }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        .told { white-space: pre-wrap; unicode-bidi: isolate; }
        .told, dd, code, h2, h3, .rows span { overflow-wrap: anywhere; }

        button, input, textarea, select { font: inherit; color: inherit; }

        button {
          min-height: 2.375rem;
          padding: 0 0.9rem;
          border: 1px solid var(--control);
          border-radius: 8px;
          background: var(--surface);
          font-weight: 550;
          cursor: pointer;
          transition: background-color 120ms ease;
        }
        button:hover { background: var(--raised); }
        button:disabled { opacity: 0.55; cursor: default; }
        button.kill { color: var(--paused); }
        button.lift { border-color: var(--live); color: var(--live); }
        button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
        button.primary.kill { background: var(--paused-fill); }
        button.primary.update { background: var(--update-fill); }
        button.primary:hover { filter: brightness(1.08); }
        button.small { flex: none; min-height: 2rem; padding: 0 0.7rem; white-space: nowrap; }

        input, textarea, select {
          width: 100%;
          min-height: 2.375rem;
          padding: 0.4rem 0.65rem;
          border: 1px solid var(--control);
          border-radius: 8px;
          background: var(--surface);
        }
        input[type="checkbox"] { width: 1.125rem; height: 1.125rem; min-height: 0; flex: none; accent-color: var(--accent); }
        textarea { display: block; resize: vertical; }
        ::placeholder { color: var(--quiet); opacity: 1; }

        /* What has the focus is never under the bar. */
        button, input, textarea, select, h2, .card { scroll-margin-block: 4.5rem; }
        :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }

        @media (pointer: coarse) {
          button, input, textarea, select { min-height: 2.75rem; font-size: 1rem; }
        }
        @media (prefers-reduced-motion: reduce) {
          * { transition: none !important; animation: none !important; }
        }

        """#
}
#endif
