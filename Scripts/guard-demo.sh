#!/usr/bin/env bash
# Shows the guard: an editor on the left, and on the right the simulated server that pauses it.
# make guard-demo calls it with the program as the only argument.
set -eu

program=$1
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
ask() { "$program" barricade "$@" --pid "$guard" >"$work/reply" 2>&1 || cat "$work/reply"; }
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
    sed -n '/^status:/p; /^ /p' "$work/reply" 2>/dev/null
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
done

tmux_run new-session -d -s demo -x "$(tput cols)" -y "$(tput lines)" \
    "exec '$program' guard --scenario live -- $editor '$work/letter.txt'"
tmux_run set-option -g mouse on
tmux_run set-option -g status off
tmux_run set-option -g pane-border-style fg=colour240
tmux_run bind-key -n F2 select-pane -t :.+
guard=$(tmux_run display-message -p -t demo '#{pane_pid}')
tmux_run split-window -h -l 34 -t demo "'$work/menu' '$program' '$guard' '$work'; exec env -u TMUX tmux -S '$work/tmux' kill-server"
tmux_run attach-session -t demo || true
