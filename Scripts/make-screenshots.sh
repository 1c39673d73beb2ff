#!/usr/bin/env bash
# Takes the pictures under screenshots/: the demo in a real terminal emulator, driven by its keys.
#
#   Scripts/make-screenshots.sh .build/debug/bellerophon
#
# xterm shows a tmux session on a display of its own, so that keys are sent and texts are awaited
# through tmux, and the picture is what xterm painted. `make screenshots` installs what it needs.
set -euo pipefail
export LC_ALL=C.UTF-8

program=$(realpath "${1:?the path of the bellerophon program}")
folder="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/screenshots"

columns=100 rows=30
background='#15171c' foreground='#d7dae0'

# What is taken. Adjust names and texts here when the demo's change.
take_all() {
    start --scenario live
    await LIVE
    show_some_history
    await 'r check'
    await '00:06'
    picture dashboard

    press s
    await 'Messages'
    picture scenario-picker

    start --play 'planned maintenance'
    await '▶ before'
    press 3
    await 'SERVICE PAUSED'
    await '00:02'
    press s
    await '5s of 12s'
    picture picker-over-kill

    start --play 'planned maintenance'
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

    start --scenario live
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

    start --scenario paused
    await 'SERVICE PAUSED'
    await '00:03'
    picture kill-view

    start --scenario 'paused, Chinese message'
    await 'SERVICE PAUSED'
    await '00:05'
    picture kill-view-chinese

    start --scenario 'update required'
    await 'UPDATE REQUIRED'
    await '00:06'
    picture update-view
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
display_pid='' xterm_pid=''

tmux_run() { tmux -u -S "$work/tmux" -f /dev/null "$@"; }

stop() {
    tmux_run kill-server 2>/dev/null || true
    [ -z "$xterm_pid" ] || kill "$xterm_pid" 2>/dev/null || true
    [ -z "$xterm_pid" ] || wait "$xterm_pid" 2>/dev/null || true
    xterm_pid=''
}

finish() {
    stop
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

# Starts the demo with the given flags in a fresh home and a fresh terminal.
start() {
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
        new-session -d -s shot -x "$columns" -y "$rows" "$program" demo "$@"
    LANG=C.UTF-8 xterm -u8 -tn xterm-256color -fa 'DejaVu Sans Mono' -fd 'Noto Sans Mono CJK SC' -fs 13 -xrm 'XTerm*forceBoxChars: true' \
        -geometry "${columns}x${rows}+0+0" -b 14 -bw 0 +sb -bg "$background" -fg "$foreground" \
        -e tmux -u -S "$work/tmux" -f /dev/null attach-session -t shot 2>"$work/xterm.log" &
    xterm_pid=$!
    until_true is_attached || fail "xterm did not start: $(cat "$work/xterm.log")"
}

is_attached() { [ -n "$(tmux_run list-clients)" ]; }
shows() { tmux_run capture-pane -p -t shot | grep -qF -- "$1"; }
await() { until_true shows "$1" || fail "the screen does not show “$1”"; }
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

# Lets xterm paint, then takes the window without the display around it.
picture() {
    sleep 0.5
    import -window root -trim +repage -strip +dither -colors 128 -define png:compression-level=9 "PNG8:$folder/$1.png"
    echo "screenshots/$1.png"
}

for tool in tmux Xvfb xterm import; do
    command -v "$tool" >/dev/null || fail "$tool is missing; \`make screenshots\` installs it"
done
mkdir -p "$folder"
start_display
take_all
