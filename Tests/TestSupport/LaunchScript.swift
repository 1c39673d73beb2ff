/// What the shell at the terminal does: runs one job with job control, as for a person.
enum LaunchScript {
    /// The script. In the folder it leaves `modes` (the line modes before the job), `group` and `pid`,
    /// `stopped` and `resumed` with how often, and `status` with the program's end.
    ///
    /// The job is a small shell that leads the process group and has the program as its child. That shell
    /// lives through a hangup and writes down how the program ended; the outer one dies of it, which is
    /// what makes Linux send the hangup on to the job. The turns are a recursion: in bash a stop breaks
    /// loops.
    static func text(command: [String], changes: [String: String?], folder: String) -> String {
        let unset =
            (["TMUX", "TMUX_PANE", "TERM_PROGRAM", "TERM_PROGRAM_VERSION"]
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
                put status $?
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
