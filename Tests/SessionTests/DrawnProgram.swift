import TestSupport

/// An interactive program that draws its screen by itself when it starts, and then waits for keys.
struct DrawnProgram: Sendable, CustomStringConvertible {
    let name: String
    /// The shell command that runs it. It starts in the home folder, which has ``files``.
    let command: String
    /// A text that shows once the screen is drawn.
    let readyText: String
    /// A line to type, which may be typed again.
    let line: String
    /// What the screen shows after it.
    let reply: String

    var description: String { name }

    static let all = [shell, editor, pager, database]

    /// What is not installed of the programs; empty if nothing is missing.
    static let missing = all.map(\.name).filter { Products.find($0) == nil } + (PostgresServer.isInstalled ? [] : ["PostgreSQL"])

    static let shell = DrawnProgram(
        name: "bash", command: "exec bash --noprofile --rcfile drawn.sh -i", readyText: "ready>",
        line: "echo typed $((20 + 22))\r", reply: "ready> echo typed $((20 + 22))\ntyped 42\nready>")

    static let editor = DrawnProgram(
        name: "vim", command: "exec vim -u NONE -i NONE -nN -c 'syntax on | set number list | split | 40' code.c",
        readyText: "line 40 ", line: "\u{1B}:echo 'typed' 20 + 22\r", reply: "typed 42")

    static let pager = DrawnProgram(
        name: "less", command: "exec less -R colours.txt", readyText: "line 10", line: "gG", reply: "line 90")

    static let database = DrawnProgram(
        name: "psql", command: "PSQLRC=drawn.sql exec psql -P pager=off \"$DATABASE\"", readyText: "ready>",
        line: "select 20 + 22 as typed;\r",
        reply: "ready> select 20 + 22 as typed;\n typed\n-------\n    42\n(1 row)\n\nready>")

    /// The files that the programs read.
    static func writeFiles(in home: TestFolder) throws {
        try GuardProgram.writeFiles(in: home)
        try home.write("PS1='ready> '\nseq 1 30\nhead -n 15 colours.txt\n", to: "drawn.sh")
        let settings = #"\set QUIET 1\#n\set PROMPT1 'ready> '\#n"#
        try home.write("\(settings)select n, n * n as square from generate_series(1, 30) n;\n", to: "drawn.sql")
    }
}
