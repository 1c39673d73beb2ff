/// The shell script of the terminal: runs one job with job control, like an interactive shell.
enum LaunchScript {
    /// What the terminal gets after all output of the program: a sequence without effect, as `printf` writes it.
    private static let endMark = #"\033]1999;end\033\\"#
    /// The bytes of the mark.
    static let end = "\u{1B}]1999;end\u{1B}\\"

    /// The script. It writes these files to the folder: `modes` (the terminal modes before the job), `group`, `pid`,
    /// `stopped` and `resumed` (counters), and `status` with the program's exit status.
    ///
    /// The job is a small shell that leads the process group and has the program as its child. That shell ignores a
    /// hangup and records how the program ended. The outer shell exits on the hangup, which makes Linux forward the
    /// hangup to the job. `turn` is recursive because a stopped job breaks loops in bash.
    ///
    /// - Parameter showsTerminal: whether the program finds the variables with which the terminal makes itself known.
    static func text(
        command: [String], changes: [String: String?], folder: String, showsTerminal: Bool = false
    ) -> String {
        let unset =
            ((showsTerminal ? [] : ["TMUX", "TMUX_PANE", "TERM_PROGRAM", "TERM_PROGRAM_VERSION"])
            + changes.filter { $0.value == nil }.keys.sorted()).flatMap { ["-u", $0] }
        let set = changes.sorted { $0.key < $1.key }.compactMap { name, value in value.map { "\(name)=\($0)" } }
        let program = (["/usr/bin/env"] + unset + set + command).map(quote).joined(separator: " ")
        return """
            cd \(quote(folder)) || exit
            put() { printf '%s\\n' "$2" >".$1" && mv ".$1" "$1"; }
            if [ "$1" = job ]; then
                put group $$
                trap : HUP INT QUIT TERM
                /bin/sh -c 'printf "%s\\n" $$ >.pid && mv .pid pid; exec "$@"' program \(program)
                status=$?
                # The hangup may come only now, and must not end mv.
                trap '' HUP INT QUIT TERM
                printf '\(endMark)' 2>/dev/null
                put status $status
                exit
            fi
            turn() {
                [ ! -f status ] || return
                stops=$((stops + 1))
                put stopped $stops
                read -r line || exit
                put resumed $stops
                fg >/dev/null
                turn
            }
            put modes "$(stty -g)"
            stops=0
            set -m
            /bin/sh "$0" job
            turn
            while read -r line; do :; done
            """
    }

    private static func quote(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
