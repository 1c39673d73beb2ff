#!/usr/bin/env bash
# Takes the recording of the README: the demo presents its tour by itself in a terminal of fixed size.
#
#   Scripts/make-tape.sh .build/debug/bellerophon screenshots/tour.cast
#
# The terminal is tmux, with a home folder of its own, so that no setting of the person matters.
set -euo pipefail
export LC_ALL=C.UTF-8

program=$(realpath "${1:?the path of the bellerophon program}")
tape=$(realpath -m "${2:?the file to write}")
columns=100 rows=30

work=$(mktemp -d)
tmux_run() { env -u TMUX -u BELLEROPHON_CONFIG HOME="$work" XDG_CONFIG_HOME="$work" XDG_STATE_HOME="$work" \
    tmux -u -S "$work/tmux" -f /dev/null "$@"; }
finish() {
    tmux_run kill-server 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

# Waits up to a minute and a half for a text on the screen.
await() {
    local try
    for ((try = 0; try < 900; try++)); do
        if tmux_run capture-pane -p 2>/dev/null | grep -qF "$1"; then return; fi
        sleep 0.1
    done
    echo "make-tape.sh: \"$1\" did not appear:" >&2
    tmux_run capture-pane -p >&2 || true
    exit 1
}

command -v tmux >/dev/null || { echo "make-tape.sh: tmux is missing; \`make tape\` installs it" >&2; exit 1; }
mkdir -p "$(dirname "$tape")"
tmux_run new-session -d -x "$columns" -y "$rows" \
    "$(printf '%q ' "$program" demo --present tour --unattended --tape "$work/tour.cast")"
await 'tour · 6/6'
await 'LIVE'
sleep 5
tmux_run send-keys q
while tmux_run has-session 2>/dev/null; do sleep 0.1; done
mv "$work/tour.cast" "$tape"
chmod 644 "$tape"
echo "$tape: $(($(wc -l <"$tape") - 1)) events, $(wc -c <"$tape") bytes"
