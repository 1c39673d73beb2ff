import Foundation
import TestSupport

/// An interactive program that a test freezes, covers and uncovers, with keys that make it draw.
struct GuardProgram: Sendable, CustomStringConvertible {
    let name: String
    /// The shell command that runs it. It starts in the home folder, which has ``files``.
    let command: String
    /// A text that shows once the program takes keys.
    let readyText: String
    /// What is typed. Each entry is complete and can follow every other.
    let inputs: [String]
    /// What the screen shows after the first of them, also if it is typed again; empty if that is not known.
    var reply = ""

    var description: String { name }
    var isInstalled: Bool { Products.find(name) != nil }

    private static let escape = "\u{1B}"
    private static let up = "\u{1B}OA", down = "\u{1B}OB", pageUp = "\u{1B}[5~", pageDown = "\u{1B}[6~"
    private static let shell = "PS1='ready> ' bash --norc --noprofile"

    static let vim = GuardProgram(
        name: "vim", command: "vim -u NONE -i NONE -nN --cmd 'set nomore' -c 'syntax on|set nu hls mouse=a title' code.c",
        readyText: "sum = 0",
        inputs: [
            "\(escape)oa new line", "\(escape)3j", "\(escape)G", "\(escape)gg", "\(escape)/int\r", "\(escape)\u{06}",
            "\(escape)dd", "\(escape)u", "\(escape)Vj", "\(escape):set list!\r", "\(escape)R下一行", "\(escape):split\r",
        ])

    static let htop = GuardProgram(
        name: "htop", command: "htop -d 2", readyText: "F10",
        inputs: [down, up, pageDown, pageUp, "t", "I", "P", "M", "T", "H"])

    static let less = GuardProgram(
        name: "less", command: "less -R colours.txt", readyText: "line 1",
        inputs: [" ", "b", "g", "G", "/ 7\r", "j", "k", "n", "\(escape)u", "d", "u"])

    static let nano = GuardProgram(
        name: "nano", command: "nano -I -l code.c", readyText: "^X",
        inputs: ["text", "\r", "\u{16}", "\u{19}", "\u{0B}", "\u{15}", down, up, "下", "\u{05}"])

    static let mc = GuardProgram(
        name: "mc", command: "mc -u", readyText: "10Quit",
        inputs: [down, up, "\t", "\u{14}", pageDown, pageUp, "\u{15}", "\(escape)[20~\(down)"])

    static let bash = GuardProgram(
        name: "bash", command: shell, readyText: "ready>",
        inputs: [
            "seq 1 60\r", "printf '\\033[1;31mred\\033[0m\\n'\r", "cat colours.txt\r", "unfinished words", "\u{15}", "\u{0C}",
            up, "printf '\\033[5;9r'\r", "printf '\\033[r'\r", "\u{01}", "tput smkx; tput civis\r", "tput cnorm\r",
        ])

    static let python3 = GuardProgram(
        name: "python3", command: "python3 -q", readyText: ">>>",
        inputs: [
            "for i in range(40): print(i, end=' ')\r\r", "print('\\x1b[1;4mbold\\x1b[0m')\r", "'abc ' * 50\r", "unfinished",
            "\u{15}", "\u{0C}", up, "(\r1)\r",
        ])

    static let tmux = GuardProgram(
        name: "tmux",
        command: "tmux -S inner -f tmux.conf new-session 'sh inner.sh'",
        readyText: "ready>",
        inputs: [
            "seq 1 60\r", "cat colours.txt\r", "unfinished", "\u{15}", "\u{02}\"", "\u{02}o", "\u{02}z", "\u{02}[", "q",
            "\u{02}c",
            "\u{02}n",
        ])

    static let top = GuardProgram(
        name: "top", command: "top -d 0.2", readyText: "PID",
        inputs: ["t", "m", "1", "c", "i", "z", "x", "V", down, up])

    static let sqlite3 = GuardProgram(
        name: "sqlite3", command: "sqlite3", readyText: "sqlite>",
        inputs: [
            "select 1, 'two';\r", ".help\r", "unfinished", "\u{15}", "\u{0C}", up, ".show\r",
            "with recursive n(x) as (values(1) union all select x + 1 from n limit 90) select x from n;\r",
        ])

    static let all = [vim, htop, less, nano, mc, bash, python3, tmux, top, sqlite3]

    /// The files that the programs show.
    static func writeFiles(in home: TestFolder) throws {
        let code = (1...90).map { "    sum += \($0) * factor; /* line \($0) */\n" }.joined()
        try home.write("int sum(int factor) {\n    int sum = 0;\n\(code)    return sum;\n}\n", to: "code.c")
        let lines = (1...90).map { number in
            "\u{1B}[\(30 + number % 8);\(number % 5)mline \(number)\u{1B}[0m 下 \u{1B}[48;5;\(number + 16)m   \u{1B}[0m \(number * 7)\n"
        }
        try home.write(lines.joined(), to: "colours.txt")
        try home.write("echo $TMUX | cut -d , -f 2 >server\n\(shell)\n", to: "inner.sh")
        // The server ends with its client, also if the test fails.
        try home.write("set -g destroy-unattached on\nset -g status-interval 1\nset -g history-limit 500\n", to: "tmux.conf")
    }
}

/// Programs that draw their screen by themselves when they start, and then wait for keys.
extension GuardProgram {
    static let drawn = [drawnShell, drawnEditor, drawnPager, database]

    /// What is not installed of them; empty if nothing is missing.
    static let missing =
        drawn.map(\.name).filter { Products.find($0) == nil } + (PostgresServer.isInstalled ? [] : ["PostgreSQL"])

    static let drawnShell = GuardProgram(
        name: "bash", command: "exec bash --noprofile --rcfile drawn.sh -i", readyText: "ready>",
        inputs: ["echo typed $((20 + 22))\r"], reply: "ready> echo typed $((20 + 22))\ntyped 42\nready>")

    static let drawnEditor = GuardProgram(
        name: "vim", command: "exec vim -u NONE -i NONE -nN -c 'syntax on | set number list | split | 40' code.c",
        readyText: "line 40 ", inputs: ["\u{1B}:echo 'typed' 20 + 22\r"], reply: "typed 42")

    static let drawnPager = GuardProgram(
        name: "less", command: "exec less -R colours.txt", readyText: "line 10", inputs: ["gG"], reply: "line 90")

    static let database = GuardProgram(
        name: "psql", command: "PSQLRC=drawn.sql exec psql -P pager=off \"$DATABASE\"", readyText: "ready>",
        inputs: ["select 20 + 22 as typed;\r"],
        reply: "ready> select 20 + 22 as typed;\n typed\n-------\n    42\n(1 row)\n\nready>")

    /// The files that the drawn programs read.
    static func writeDrawnFiles(in home: TestFolder) throws {
        try writeFiles(in: home)
        try home.write("PS1='ready> '\nseq 1 30\nhead -n 15 colours.txt\n", to: "drawn.sh")
        let settings = #"\set QUIET 1\#n\set PROMPT1 'ready> '\#n"#
        try home.write("\(settings)select n, n * n as square from generate_series(1, 30) n;\n", to: "drawn.sql")
    }
}
