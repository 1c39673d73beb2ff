#if Server
/// The page of the console.
enum ConsolePage {
    static let text = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <title>Bellerophon console</title>
        <link rel="icon" type="image/svg+xml" href="console/icon.svg">
        <link rel="stylesheet" href="console/console.css">
        <script type="module" src="console/console.js"></script>
        </head>
        <body>
        <header class="bar">
          <h1><img src="console/icon.svg" alt="" width="22" height="22">Bellerophon <span>console</span></h1>
          <p id="freshness" class="freshness" hidden><span class="dot"></span><span id="age"></span></p>
          <button id="lock" type="button" hidden>Lock</button>
        </header>

        <main id="gate" class="gate">
          <noscript><p class="notice bad">This page needs JavaScript. Or use the command bellerophon-server.</p></noscript>
          <form id="unlock" autocomplete="off">
            <h2>Unlock</h2>
            <p class="quiet">The token stays in this page's memory. It is forgotten when you lock or reload the page, and after
              15 minutes without use.</p>
            <label for="token">Token</label>
            <input id="token" type="password" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false"
              aria-describedby="gate-message">
            <p id="gate-message" class="notice bad" role="alert" hidden></p>
            <button id="unlock-button" class="primary" type="submit">Unlock</button>
            <p id="insecure" class="notice warn" hidden>This page came without TLS: everybody on the network path can read the
              token. Use https, or a tunnel to the server's machine.</p>
            <p class="quiet">A token is made on the server's machine:
              <br><code>bellerophon-server token create \<br>&nbsp; --name ada --scope publish</code></p>
          </form>
        </main>

        <main id="desk" class="desk" hidden>
          <div id="notices"></div>
          <section aria-labelledby="server-title">
            <h2 id="server-title" class="unseen">Server</h2>
            <dl id="figures" class="figures"></dl>
          </section>
          <section id="proposals" aria-labelledby="proposals-title" hidden>
            <h2 id="proposals-title">Waiting for a second person</h2>
            <div id="proposal-list" class="cards"></div>
          </section>
          <section aria-labelledby="apps-title">
            <div class="heading">
              <h2 id="apps-title" tabindex="-1">Apps</h2>
              <p id="summary" class="quiet"></p>
            </div>
            <div id="cards" class="cards"></div>
            <button id="other" type="button">Another app or channel…</button>
          </section>
          <section aria-labelledby="journal-title">
            <h2 id="journal-title" tabindex="-1">Journal</h2>
            <ol id="rows" class="rows"></ol>
            <button id="older" type="button">Older</button>
          </section>
          <footer>
            <h2>Keyboard</h2>
            <ul class="keys">
              <li><kbd>Tab</kbd> <kbd>Enter</kbd> reach and press everything</li>
              <li><kbd>k</kbd> <kbd>u</kbd> <kbd>r</kbd> kill, update, restore the focused app</li>
              <li><kbd>↑</kbd> <kbd>↓</kbd> previous and next app</li>
              <li><kbd>Ctrl</kbd>+<kbd>Enter</kbd> in a form: continue</li>
              <li><kbd>Esc</kbd> close a form, publish nothing</li>
            </ul>
            <p class="quiet">All times are those of the server, in UTC.</p>
          </footer>
        </main>

        <dialog id="dialog" aria-labelledby="dialog-title"></dialog>
        <div id="toast" class="toast" role="status" aria-live="polite"></div>
        </body>
        </html>

        """#

    static let icon = #"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
        <rect width="32" height="32" rx="7" fill="#20407a"/>
        <path d="M11 7v18M11 16h6.2a4.5 4.5 0 0 0 0-9H11M17.2 16a4.5 4.5 0 0 1 0 9H11" fill="none" stroke="#fff"
          stroke-width="3.2" stroke-linejoin="round"/>
        </svg>

        """#
}
#endif
