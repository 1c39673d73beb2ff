#!/usr/bin/env bash
# Shows the guard: an editor on the left, and on the right the simulated server that pauses it.
# make guard-demo calls it with the program as the only argument.
set -eu

fail() {
    echo "guard-demo: $1" >&2
    exit 1
}
program=${1:?the path of the bellerophon program}
[ -x "$program" ] || fail "$program can't be executed; build it with: make build"
command -v tmux >/dev/null || fail "tmux is missing; install it, for example with: apt-get install tmux"
[ -t 1 ] || fail "it needs a terminal"
[ "$(tput cols)" -ge 80 ] && [ "$(tput lines)" -ge 20 ] || fail "the terminal is too small; it needs 80 columns and 20 rows"
work=$(mktemp -d)
tmux_run() { env -u TMUX tmux -u -S "$work/tmux" -f /dev/null "$@"; }
finish() {
    tmux_run kill-server 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

# The menu runs in the right pane.
cat >"$work/menu" <<'MENU'
#!/usr/bin/env bash
program=$1 guard=$2 work=$3
# What the server says now, or what has failed. The pane is narrow, so lines end between words.
ask() {
    if "$program" barricade "$@" --pid "$guard" >"$work/reply" 2>&1; then
        sed -n '/^status:/p; /^ /p' "$work/reply" >"$work/shown"
    else
        { echo "That failed:"; cat "$work/reply"; } >"$work/shown"
    fi
}
while true; do
    clear
    cat <<'TEXT'

 Simulated server

 k  pause the service (kill)
 u  require an update
 l  live: all is well
 m  play "planned maintenance"
 s  play "security stop"

 F2 or a click goes to the
 editor and back.
 q  quits.

TEXT
    if [ -f "$work/shown" ]; then fold -s -w "$(tput cols)" "$work/shown"; fi
    IFS= read -rsn1 key || exit 0
    case $key in
    k) ask select status paused ;;
    u) ask select status "update required" ;;
    l) ask select status live ;;
    m) ask play "planned maintenance" ;;
    s) ask play "security stop" ;;
    q) exit 0 ;;
    esac
done
MENU
chmod +x "$work/menu"

cat >"$work/letter.txt" <<'TEXT'
Dear Iobates,

this text is not saved. Pause the service on the right: a view covers
this editor. Let it go on: every character is back, and the cursor.

TEXT

for editor in "${EDITOR:-}" vim nano vi; do
    if [ -n "$editor" ] && command -v "${editor%% *}" >/dev/null; then break; fi
    editor=
done
[ -n "$editor" ] || fail "there is no editor; install vim or nano, or name yours in EDITOR"

# A guard that fails leaves its message on the screen.
tmux_run start-server ';' \
    set-option -g remain-on-exit on ';' \
    set-hook -g pane-died "if-shell -F '#{==:#{pane_dead_status},0}' kill-server" ';' \
    new-session -d -s demo -x "$(tput cols)" -y "$(tput lines)" \
    "exec '$program' guard --scenario live -- $editor '$work/letter.txt'" || fail "tmux can't start; its message is above"
tmux_run set-option -g mouse on
tmux_run set-option -g status off
tmux_run set-option -g pane-border-style fg=colour240
tmux_run bind-key -n F2 select-pane -t :.+
guard=$(tmux_run display-message -p -t demo '#{pane_pid}')
tmux_run split-window -h -l 34 -t demo "'$work/menu' '$program' '$guard' '$work'; exec env -u TMUX tmux -S '$work/tmux' kill-server"
tmux_run attach-session -t demo || true
