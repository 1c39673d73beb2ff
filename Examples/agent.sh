#!/usr/bin/env bash
# Works as an agent does: it starts a server, an editor and a clock by itself, some of them in sessions of their own, and goes on
# for hours. Nothing leaves this machine.
#
#   bellerophon guard --status-url URL --on-kill pause -- Examples/agent.sh [ROUNDS]
#
# Each round is a line: the time, the ticks of the clock (five per second), the server's reply, and the lines of the notes that the
# editor has written. While the agent is paused no tick is counted and no request is answered; afterwards both go on where they
# were. The files are in a folder of their own, whose path is in the first line. ROUNDS is 3600 unless given.
set -euo pipefail

rounds=${1:-3600}
work=$(mktemp -d "${TMPDIR:-/tmp}/agent.XXXXXX")
mkdir "$work/site"
port=$((20000 + $$ % 20000))
started=()

finish() {
    trap - EXIT
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

# In a session of its own: no signal to this script's process group reaches it.
start() {
    setsid "$@" >>"$work/log" 2>&1 &
    started+=($!)
}

# A clock that nobody waits for.
clock() {
    local ticks=0
    while sleep 0.2; do
        ticks=$((ticks + 1))
        echo "$ticks" >"$work/tick" && mv "$work/tick" "$work/ticks"
    done
}

# The status code of a page, without a tool for it.
request() {
    local version code rest
    exec 3<>"/dev/tcp/127.0.0.1/$port" || return 1
    printf 'GET /notes.txt HTTP/1.0\r\n\r\n' >&3
    read -r version code rest <&3
    exec 3<&-
    echo "$code"
}

# One line more in the notes, by an editor without a screen.
edit() {
    if command -v vim >/dev/null; then
        vim -u NONE -i NONE -es -c "call append('\$', '$1')" -c 'wq' "$work/site/notes.txt" </dev/null || true
    else
        printf '%s\n' "$1" >>"$work/site/notes.txt"
    fi
}

printf 'Notes\n' >"$work/site/notes.txt"
echo 0 >"$work/ticks"
export -f clock
export work
start bash -c clock
start python3 -m http.server "$port" --bind 127.0.0.1 --directory "$work/site"
echo "An agent works in $work; its server listens on 127.0.0.1:$port."
for ((round = 1; round <= rounds; round++)); do
    sleep 1
    edit "round $round"
    printf '%(%H:%M:%S)T  round %-4d  ticks %-5d  server %s  notes %d lines\n' -1 "$round" "$(cat "$work/ticks")" \
        "$(request 2>/dev/null || echo '---')" "$(wc -l <"$work/site/notes.txt")"
done
