#!/usr/bin/env bash
# Takes the pictures under screenshots/: the program in a real terminal emulator, driven by its keys.
#
#   Scripts/make-screenshots.sh .build/debug/bellerophon .build/debug/bellerophon-server [picture…]
#
# xterm shows a tmux session on a display of its own, so that keys are sent and texts are awaited
# through tmux, and the picture is what xterm painted. `make screenshots` installs what it needs.
set -euo pipefail
export LC_ALL=C.UTF-8

program=$(realpath "${1:?the path of the bellerophon program}")
server=$(realpath "${2:?the path of the bellerophon-server program}")
shift 2
wanted=("$@")
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$repository/screenshots examples=$repository/Examples

columns=100 rows=30 wide='Noto Sans Mono CJK SC'
background='#15171c' foreground='#d7dae0'

# What is taken. Adjust names and texts here when the demo's change.
take_all() {
    take guard recording agents update notice
    take dashboard picker
    take timelines
    take content
    take matrix
    take views
    take languages
    take signed
    take unknown
    take services
    take plan
    take themes
    take console
}

take() {
    local group
    for group; do
        if [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $group "* ]]; then "take_$group"; fi
    done
}

# The cover over a running htop, and the same htop a second later. The processes that it lists are made up: they run in a
# namespace of their own.
take_guard() {
    cat >"$work/machine" <<'SCRIPT'
#!/usr/bin/env bash
hostname demo
for name in 'postgres: checkpointer' 'postgres: walwriter' 'nginx: worker process' '/usr/sbin/sshd -D' '/usr/sbin/cron -f'; do
    (exec -a "$name" sleep 1000) &
done
(exec -a 'catalogue --listen 8080' sh -c 'while :; do :; done') &
exec -a bellerophon "$@"
SCRIPT
    chmod +x "$work/machine"
    launch unshare --pid --fork --mount-proc --uts "$work/machine" "$program" guard --scenario live -- htop
    await 'Load average'
    sleep 2
    simulate 'paused'
    await 'SERVICE PAUSED'
    await '00:04'
    picture guard-htop-paused
    simulate 'live'
    await 'Load average'
    sleep 1
    picture guard-htop
}

# A kill that is published on a server covers a vim with unsaved text, and goes.
take_recording() {
    serve
    publish restore
    mkdir -p "$work/desk"
    printf 'Dear Iobates,\n\n' >"$work/desk/letter.txt"
    rows=22
    launch sh -c 'cd "$0" && exec "$@"' "$work/desk" "$program" guard --status-url "$address/status" -- vim -u NONE letter.txt
    await 'Iobates'
    frame 100
    press G o
    type_slowly 'this line is not saved, and neither is the next.'
    press Enter
    type_slowly 'The bearer of this letter'
    frame 120
    publish kill --message 'We are moving the catalogue. Your text is safe.'
    await 'SERVICE PAUSED'
    frame 150
    sleep 1
    frame 150
    publish restore
    await 'The bearer'
    frame 120
    type_slowly ' rides a winged horse.'
    press Escape
    type_slowly ':wq'
    frame 60
    grep -q 'winged' "$work/desk/letter.txt" || press Enter
    until_true grep -q 'winged' "$work/desk/letter.txt" || fail 'vim did not save the text'
    recording guard-vim
    rows=30
    stop_server
}

# A script that works as an agent does is paused with everything it has started. Below it, a shell reads the clock that the script
# has started in a session of its own.
take_agents() {
    serve
    publish restore
    mkdir -p "$work/desk"
    rows=28
    launch sh -c 'cd "$0" && TMPDIR=. exec "$@"' "$work/desk" \
        "$program" guard --status-url "$address/status" --on-kill pause -- "$examples/agent.sh"
    tmux_run split-window -v -l 8 -t shot "cd '$work/desk' && PS1='$ ' exec bash --noprofile --norc -i"
    tmux_run select-pane -t shot.0
    await 'round 3'
    frame 120
    tmux_run select-pane -t shot.1
    type_slowly 'cat agent.*/ticks'
    press Enter
    frame 120
    publish kill --message 'The cluster is being moved. Agents wait.'
    tmux_run select-pane -t shot.0
    await 'SERVICE PAUSED'
    frame 150
    tmux_run select-pane -t shot.1
    for turn in 1 2; do
        press Up Enter
        frame 150
        sleep 2
    done
    publish restore
    tmux_run select-pane -t shot.0
    await 'round 3'
    sleep 2
    frame 150
    tmux_run select-pane -t shot.1
    press Up Enter
    frame 250
    recording guard-agents
    rows=30
    stop_server
}

# A guarded program is told to update: `u` runs the command, and the new version runs in the same terminal.
take_update() {
    serve
    publish restore
    mkdir -p "$work/desk"
    local version
    for version in 1.4.0 1.5.2; do
        cat >"$work/desk/notes-$version" <<SCRIPT
#!/bin/sh
if [ "\$1" = --version ]; then echo notes $version; exit; fi
printf 'notes $version - %s\n\n' "\$1"
while printf '> ' && read -r line; do echo "  noted: \$line"; done
SCRIPT
    done
    cp "$work/desk/notes-1.4.0" "$work/desk/notes"
    cat >"$work/desk/get-notes" <<'SCRIPT'
for part in 20 45 70 90 100; do printf '\rgetting notes %s  %3d %%' "$BELLEROPHON_UPDATE_VERSION" $part; sleep 0.4; done
echo
cp "notes-$BELLEROPHON_UPDATE_VERSION" notes.part && mv notes.part notes
SCRIPT
    cat >"$work/desk/config.json" <<'JSON'
{ "app": { "name": "notes" },
  "update": { "command": "sh get-notes", "availableCommand": ["echo", "1.5.2"], "versionCommand": ["sh", "notes", "--version"] } }
JSON
    rows=24
    launch sh -c 'cd "$0" && exec "$@"' "$work/desk" "$program" guard --status-url "$address/status" --config config.json \
        --version-command 'sh notes --version' --on-update restart -- sh notes iobates.txt
    await 'notes 1.4.0'
    frame 100
    type_slowly 'The bearer of this letter'
    press Enter
    frame 100
    publish update --required-version 1.5.2 --message '1.4 can lose notes.'
    await 'UPDATE REQUIRED'
    await '1.5.2 is ready'
    frame 250
    press u
    await 'y run it'
    frame 250
    press y
    await 'getting notes'
    for turn in 1 2 3; do frame 60; done
    await 'notes 1.5.2 -'
    frame 120
    type_slowly 'rides a winged horse'
    press Enter
    frame 300
    recording guard-update
    rows=30
    stop_server
}

# An announced maintenance over a running vim: one row at its top right.
take_notice() {
    local announce from until
    announce=$(date -u -d '-1 minute' +%FT%TZ) from=$(date -u -d '+14 minutes' +%FT%H:%M:00Z) until=$(date -u -d '+44 minutes' +%FT%H:%M:00Z)
    cat >"$work/plan.json" <<JSON
{"apiInactive": false, "forceUpdate": false, "retryInterval": 60, "rules": [
  {"id": "window", "effect": "pause", "announce": "$announce", "from": "$from", "until": "$until"}]}
JSON
    mkdir -p "$work/desk"
    local line
    for line in 'Dear Iobates,' '' 'the bearer of this letter rides a winged horse. He has come from' \
        'Corinth, where Proetus was his host, and he is to be received as a' 'guest until he has rested.' '' \
        'What I ask of you is on the second tablet. It is folded, and the' 'bearer does not know what it says.'; do
        printf '%s\n' "$line"
    done >"$work/desk/letter.txt"
    replay "$work/plan.json"
    until_true curl -sf -o "$work/answer" "$address/status" || fail "the server did not start: $(cat "$work/replay.log")"
    rows=22
    launch sh -c 'cd "$0" && exec "$@"' "$work/desk" "$program" guard --status-url "$address/status" -- \
        vim -u NONE -c 'set laststatus=2 ruler' letter.txt
    await 'Iobates'
    press G A
    await 'Maintenance in'
    picture notice-over-vim
    rows=30
    stop_server
}

take_dashboard() {
    start demo --scenario live
    await LIVE
    show_some_history
    await 'r check'
    await '00:06'
    picture dashboard
}

take_picker() {
    start demo --scenario live
    await LIVE
    show_some_history
    press s
    await 'Messages'
    picture scenario-picker
}

take_timelines() {
    start demo --play 'planned maintenance'
    await '▶ before'
    press 3
    await 'SERVICE PAUSED'
    await '00:02'
    press s
    await '5s of 12s'
    picture picker-over-kill

    start demo --play 'planned maintenance'
    await '▶ before'
    press 3
    await 'SERVICE PAUSED'
    press s
    await '▶3 paused'
    press 1
    await '▶1 before'
    press Escape
    await '5s of 9s'
    picture player
}

take_content() {
    start demo --scenario live
    await LIVE
    show_some_history
    press s
    await 'Messages'
    press End Up Up
    await '▸   new content'
    press Enter
    await 'status.json v2'
    await '00:05'
    picture new-content
}

take_views() {
    start demo --scenario paused
    await 'SERVICE PAUSED'
    await '00:03'
    picture kill-view

    start demo --scenario 'paused, Chinese message'
    await 'SERVICE PAUSED'
    await '00:05'
    picture kill-view-chinese

    start demo --scenario 'update required'
    await 'UPDATE REQUIRED'
    await '00:06'
    picture update-view
}

# The views in other languages, with the message that the status has for each.
take_languages() {
    cat >"$work/languages.json" <<'JSON'
{
  "title": "Languages",
  "requests": {
    "status": {
      "match": { "path": "/status" },
      "default": "paused",
      "responses": {
        "paused": {
          "json": {
            "apiInactive": true, "forceUpdate": false, "retryInterval": 6,
            "userMessage": "We are moving the catalogue to a new home.\nNothing you did is lost.",
            "userMessages": {
              "de": "Der Katalog zieht um.\nNichts geht verloren.",
              "pl": "Przenosimy katalog w nowe miejsce.\nNic nie zginie.",
              "ja": "カタログを新しい場所に移しています。\n作業内容は失われません。"
            }
          }
        },
        "update required": {
          "json": {
            "apiInactive": false, "forceUpdate": true, "requiredVersion": "1.5.2", "retryInterval": 10,
            "updateURL": "https://example.com/get"
          }
        }
      }
    }
  }
}
JSON
    in_language de 'DIENST PAUSIERT' 'q Ende' kill-view-german
    in_language pl 'USŁUGA WSTRZYMANA' 'q zakończ' kill-view-polish
    wide='Noto Sans Mono CJK JP'
    in_language ja 'サービス停止中' 'q 終了' kill-view-japanese
    wide='Noto Sans Mono CJK SC'
}

# Takes a kill view in a language, once it has this title and names this key.
in_language() {
    start demo --scenarios "$work/languages.json" --lang "$1"
    await "$2"
    await "$3"
    # tmux leaves out a wide character where it repaints a part of a row.
    tmux_run refresh-client
    await '00:03'
    picture "$4"
}

# A signed kill stands, although an "all clear" of before it is served again.
take_signed() {
    serve
    publish restore
    start run --status-url "$address/status.jws" --trust-key "$("$server" keygen "$work/signing.jwk" --public)"
    await 'signed'
    curl -sf "$address/status.jws" >"$work/replayed.jws"
    publish kill --message 'Back at noon. Your work is safe.'
    await 'SERVICE PAUSED'
    replay "$work/replayed.jws"
    await 'failed; still paused'
    # The reason is on the details page.
    await 'd details'
    press d
    await 'replay'
    picture replay-refused
    stop_server
}

# Nothing was ever known, and the app is closed then.
take_unknown() {
    printf '%s' '{"status": {"whenUnknown": "closed", "interval": 30}}' >"$work/closed.json"
    start run --config "$work/closed.json" --status-url http://127.0.0.1:9/status
    await 'STATUS UNKNOWN'
    picture status-unknown
}

# Several services: one is paused, one needs an update, one does not answer.
take_services() {
    serve
    publish restore
    local app
    for app in payments search; do publish restore --app "$app" --new; done
    publish kill --app payments --message 'We are moving the payments. Back at 14:30 UTC.'
    publish update --app search --required-version 2.1
    cat >"$work/services.json" <<JSON
{"alerts": {"title": false}, "services": [
  {"name": "Catalogue", "status": {"url": "$address/status"}},
  {"name": "Payments", "status": {"url": "$address/v1/apps/payments/status"}},
  {"name": "Search", "status": {"url": "$address/v1/apps/search/status"}},
  {"name": "Mail", "status": {"url": "http://127.0.0.1:9/status"}}
]}
JSON
    start run --config "$work/services.json"
    await '■ paused'
    await '! ×'
    sleep 2
    picture services
    press 0
    await '4 services'
    picture services-list
    stop_server
}

# What the rules of a document restrict: all versions and times in a table.
take_matrix() {
    cat >"$work/rules.json" <<'JSON'
{"apiInactive": false, "forceUpdate": false, "retryInterval": 60, "rules": [
  {"id": "min-15", "effect": "update", "only": {"versions": [{"below": "1.5.2"}]}, "except": [{"is": {"ci": ["true"]}}],
   "to": "1.5.2", "announce": "2026-12-01T00:00:00Z", "from": "2026-12-15T00:00:00Z"},
  {"id": "bad-16", "effect": "update", "only": {"versions": [{"from": "1.6.0", "below": "1.6.4"}], "is": {"os": ["linux"]}},
   "to": "1.6.4"},
  {"id": "ceiling", "effect": "update", "only": {"versions": [{"from": "2.0.0"}], "share": "25%"}, "to": "1.9.3",
   "from": "2026-12-01T00:00:00Z"},
  {"id": "offer-1.7", "effect": "offer", "only": {"versions": [{"below": "1.7.0"}], "share": "2.5%"}, "to": "1.7.0"}]}
JSON
    rows=35
    launch sh -c 'printf "\$ bellerophon preview --status rules.json --matrix\n"; "$0" preview --status "$1" --matrix; exec sleep 1000' \
        "$program" "$work/rules.json"
    await 'Stops nothing'
    picture matrix
    rows=30
}

# A status with rules: a minimum version, an announced window, a notice, an offer, and a rule that is over.
take_plan() {
    local announce from until turn
    announce=$(date -u -d '-1 hour' +%FT%H:00:00Z) from=$(date -u -d '+2 hours' +%FT%H:00:00Z) until=$(date -u -d '+2 hours' +%FT%H:45:00Z)
    cat >"$work/plan.json" <<JSON
{"apiInactive": false, "forceUpdate": false, "retryInterval": 15, "rules": [
  {"id": "min-15", "effect": "update", "only": {"versions": [{"below": "1.5.2"}]}, "to": "1.5.2", "message": "1.4 loses data."},
  {"id": "bad-16", "effect": "update", "only": {"versions": [{"from": "1.6.0", "below": "1.6.4"}], "is": {"site": ["ward"]}}, "to": "1.6.4"},
  {"id": "window", "effect": "pause", "announce": "$announce", "from": "$from", "until": "$until", "message": "We are moving the disks."},
  {"id": "read-only", "effect": "notice", "level": "warn", "message": "Search is read-only."},
  {"id": "offer-1.7", "effect": "offer", "only": {"versions": [{"below": "1.7.0"}]}, "to": "1.7.0", "message": "1.7 opens twice as fast."},
  {"id": "last-week", "effect": "notice", "until": "2026-01-01T00:00:00Z"}]}
JSON
    printf '%s' '{"app": {"name": "notes", "version": "1.6.2"}, "status": {"transport": "poll"}}' >"$work/app.json"
    replay "$work/plan.json"
    until_true curl -sf -o "$work/answer" "$address/status" || fail "the server did not start: $(cat "$work/replay.log")"
    local usual=("$columns" "$rows")
    columns=130 rows=36
    start run --config "$work/app.json" --status-url "$address/status"
    await 'window begins'
    for turn in 1 2 3; do check; done
    await 'Tab pane'
    picture plan
    columns=${usual[0]} rows=${usual[1]}
    stop_server
}

# The same views in the other themes and in ASCII.
take_themes() {
    local usual=("$background" "$foreground")
    background='#ffffff' foreground='#1c1c1c'
    start demo --scenario live --theme light
    await LIVE
    show_some_history
    await 'r check'
    await '00:05'
    picture theme-light

    start demo --scenario 'update required' --theme light
    await 'UPDATE REQUIRED'
    await '00:05'
    picture theme-light-update

    background=${usual[0]} foreground=${usual[1]}
    start demo --scenario live --theme high-contrast
    await LIVE
    show_some_history
    await 'r check'
    await '00:05'
    picture theme-high-contrast

    start demo --scenario paused --theme mono --glyphs ascii
    await 'SERVICE PAUSED'
    await '00:04'
    picture theme-mono-ascii
}

# The server's page for the person on call, at a desk and on a phone.
take_console() {
    rm -rf "$work/store"
    "$server" serve --create --store "$work/store" --port "$port" --set console.enabled=true --set approval.apps=payments \
        >"$work/server.log" 2>&1 &
    server_pid=$!
    until_true curl -sf -o "$work/answer" "$address/console" || fail "the server did not start: $(cat "$work/server.log")"
    python3 -B "$(dirname "${BASH_SOURCE[0]}")/console-pictures.py" "$server" "$work/store" "$address" "$folder"
    stop_server
}

# A minute of life in a few seconds: checks, a pause and a failure, and live again.
show_some_history() {
    local turn
    for turn in 1 2 3 4 5 6 7 8 9 10 11 12; do check; done
    pick paused 'SERVICE PAUSED'
    pick 'update required' 'UPDATE REQUIRED'
    pick live 'LIVE'
    for turn in 1 2 3 4 5 6; do check; done
    pick 'HTTP 500' 'HTTP 500'
    pick live 'LIVE'
    for turn in 1 2 3 4 5 6 7 8; do check; done
}

# ------------------------------------------------------------------------------------------------

work=$(mktemp -d)
display_pid='' xterm_pid='' server_pid=''
port=18734 address=http://127.0.0.1:$port

tmux_run() { tmux -u -S "$work/tmux" -f /dev/null "$@"; }

stop() {
    tmux_run kill-server 2>/dev/null || true
    [ -z "$xterm_pid" ] || kill "$xterm_pid" 2>/dev/null || true
    [ -z "$xterm_pid" ] || wait "$xterm_pid" 2>/dev/null || true
    xterm_pid=''
}

# A server that signs what it serves, on the port that `replay` takes over.
serve() {
    rm -rf "$work/signing.jwk" "$work/store"
    "$server" keygen "$work/signing.jwk" >/dev/null 2>&1
    "$server" serve --create --store "$work/store" --port "$port" --signing-key "$work/signing.jwk" >"$work/server.log" 2>&1 &
    server_pid=$!
    until_true curl -sf -o "$work/answer" "$address/status" || fail "the server did not start: $(cat "$work/server.log")"
}

publish() { "$server" "$@" --store "$work/store" --yes >"$work/published" 2>&1 || fail "$(cat "$work/published")"; }

stop_server() {
    [ -z "$server_pid" ] || kill "$server_pid" 2>/dev/null || true
    [ -z "$server_pid" ] || wait "$server_pid" 2>/dev/null || true
    server_pid=''
}

# Another server in its place, which tells the same document to everybody.
replay() {
    stop_server
    python3 -c '
import http.server, sys
document = open(sys.argv[1], "rb").read()
class Replay(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json" if document.startswith(b"{") else "application/jose")
        self.send_header("Content-Length", str(len(document)))
        self.end_headers()
        self.wfile.write(document)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Replay).serve_forever()
' "$1" "$port" 2>"$work/replay.log" &
    server_pid=$!
}

finish() {
    stop
    stop_server
    [ -z "$display_pid" ] || kill "$display_pid" 2>/dev/null || true
    [ -z "$display_pid" ] || wait "$display_pid" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

fail() {
    echo "error: $1" >&2
    tmux_run capture-pane -p -t shot >&2 2>/dev/null || true
    exit 1
}

# Repeats a command until it succeeds, for 20 seconds.
until_true() {
    local turn
    for turn in {1..200}; do
        "$@" 2>/dev/null && return 0
        sleep 0.1
    done
    return 1
}

start_display() {
    Xvfb -displayfd 3 -screen 0 1600x1200x24 -nolisten tcp 3>"$work/display" 2>"$work/display.log" &
    display_pid=$!
    until_true test -s "$work/display" || fail "no display: $(cat "$work/display.log")"
    DISPLAY=":$(cat "$work/display")"
    export DISPLAY
}

# Starts the program with the given arguments in a fresh home and a fresh terminal.
start() { launch "$program" "$@"; }

# Starts a command likewise.
launch() {
    stop
    rm -rf "$work/home"
    mkdir "$work/home"
    env -i PATH="$PATH" LANG=C.UTF-8 TZ=UTC HOME="$work/home" COLORTERM=truecolor TERM=xterm-256color \
        tmux -u -S "$work/tmux" -f /dev/null \
        start-server ';' \
        set-option -g status off ';' \
        set-option -g default-terminal tmux-256color ';' \
        set-option -s escape-time 0 ';' \
        set-option -sa terminal-overrides ',xterm-256color:RGB' ';' \
        new-session -d -s shot -x "$columns" -y "$rows" "$@"
    LANG=C.UTF-8 xterm -u8 -tn xterm-256color -fa 'DejaVu Sans Mono' -fd "$wide" -fs 13 -xrm 'XTerm*forceBoxChars: true' \
        -geometry "${columns}x${rows}+0+0" -b 14 -bw 0 +sb -bg "$background" -fg "$foreground" \
        -e tmux -u -S "$work/tmux" -f /dev/null attach-session -t shot 2>"$work/xterm.log" &
    xterm_pid=$!
    until_true is_attached || fail "xterm did not start: $(cat "$work/xterm.log")"
}

is_attached() { [ -n "$(tmux_run list-clients)" ]; }
shows() { tmux_run capture-pane -p -t shot | grep -qF -- "$1"; }
# A view names its keys a second after it has come up.
await() {
    until_true shows "$1" || fail "the screen does not show “$1”"
    case $1 in
    'SERVICE PAUSED' | 'UPDATE REQUIRED' | 'STATUS UNKNOWN') until_true shows 'q quit' || fail 'the view does not name its keys' ;;
    esac
}
press() { tmux_run send-keys -t shot "$@"; }

# One more answer is in the log than before.
check() {
    press r
    sleep 0.3
}

# Picks a scenario by its name in the picker, and waits for a text.
pick() {
    press s
    await 'Messages'
    local turn
    for turn in {0..60}; do
        # Now and then from the top: a key may come before the picker has drawn the one before it.
        if [ $((turn % 25)) -eq 0 ]; then press Home; else press Down; fi
        sleep 0.1
        is_highlighted "$1" && break
    done
    is_highlighted "$1" || fail "the picker has no “$1”"
    press Enter
    await "$2"
    sleep 1.2
}

is_highlighted() { tmux_run capture-pane -p -t shot | grep -qE "▸ . $1  "; }

# Lets the simulated server of a guard answer with this scenario.
simulate() {
    local socket
    for socket in "$work/home/.local/state/bellerophon/run/"*; do
        "$program" barricade select status "$1" --socket "$socket" >"$work/selected" 2>&1 && return
    done
    fail "$(cat "$work/selected")"
}

type_slowly() {
    local index
    for ((index = 0; index < ${#1}; index++)); do
        press -l "${1:index:1}"
        if [ $((index % 6)) -eq 5 ]; then frame 14; fi
    done
    frame 14
}

# Adds the window to the recording, for so many hundredths of a second.
frames=()
frame() {
    sleep 0.3
    local file
    file=$(printf '%s/frame-%03d.png' "$work" "${#frames[@]}")
    import -window root -trim +repage -strip "$file"
    frames+=(-delay "$1" "$file")
}

recording() {
    convert "${frames[@]}" -loop 0 +dither -colors 64 -layers optimize "$folder/$1.gif"
    frames=()
    echo "screenshots/$1.gif"
}

# Lets xterm paint, then takes the window without the display around it.
picture() {
    sleep 0.5
    import -window root -trim +repage -strip +dither -colors 128 -define png:compression-level=9 "PNG8:$folder/$1.png"
    echo "screenshots/$1.png"
}

for tool in tmux Xvfb xterm import curl python3; do
    command -v "$tool" >/dev/null || fail "$tool is missing; \`make screenshots\` installs it"
done
mkdir -p "$folder"
start_display
take_all
