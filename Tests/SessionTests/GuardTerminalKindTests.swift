import Foundation
import TestSupport
import Testing

/// The guard in terminals that have no alternate screen, although their description has one.
@Suite("Sessions: the guard in other terminals")
struct GuardTerminalKindTests {
    /// A terminal inside the terminal of the test. Each ends with it, also if the test fails.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let programs: [String]
        /// A shell command that runs the script `inner.sh` in the terminal.
        let command: String
        /// A shell command that prints the lines of the screen and above it; nil if the terminal keeps none.
        var history: String?

        var isInstalled: Bool { programs.allSatisfy { Products.find($0) != nil } }

        static let screen = Kind(
            testDescription: "GNU screen", programs: ["screen"],
            command: "mkdir -m 700 s; export SCREENDIR=$HOME/s; exec screen -S t -c screenrc sh inner.sh",
            history: "SCREENDIR=$HOME/s screen -S t -X hardcopy -h $HOME/copy; cat copy")
        static let tmux = Kind(
            testDescription: "tmux without an alternate screen", programs: ["tmux"],
            command: "unset TMUX; exec tmux -S inner -f tmuxrc new-session 'sh inner.sh'",
            history: "tmux -S inner capture-pane -p -S -")
        static let mosh = Kind(
            testDescription: "mosh", programs: ["mosh-server", "mosh-client"],
            command: """
                export MOSH_SERVER_NETWORK_TMOUT=60
                set -- $(mosh-server new -i 127.0.0.1 -p 61000:61999 -- sh $HOME/inner.sh 2>/dev/null | grep CONNECT)
                export MOSH_KEY=$4; exec mosh-client 127.0.0.1 $3
                """)
        static let all = [screen, tmux, mosh]
    }

    @Test(arguments: Kind.all.filter(\.isInstalled))
    func aCoverWipesNothing(kind: Kind) async throws {
        let status = try StatusSwitch(), home = try TestFolder()
        try home.write("autodetach off\nstartup_message off\n", to: "screenrc")
        try home.write("set -g alternate-screen off\nset -g destroy-unattached on\nset -g status off\n", to: "tmuxrc")
        let program = "sh -c 'echo ready; stty -echo; exec cat'"
        try home.write(
            "cd \"\(home.url.path)\"\nseq -f 'earlier line %g' 1 5\n\(try guardCommand(by: status)) \(program)\necho ended\nsleep 60\n",
            to: "inner.sh")
        let terminal = try await TerminalUnderTest("/bin/sh", arguments: ["-c", "cd; \(kind.command)"], home: home)
        try await terminal.wait(for: "earlier line 5", "ready")
        try await terminal.type("typed\r")
        try await terminal.wait(for: "typed")
        try await terminal.cover(by: status)
        try await terminal.uncover(by: status)
        try await terminal.wait(for: "ready", "typed")
        if let history = kind.history {
            let lines = try await eventually("the lines from before the guard") {
                let text = try await runCommand("/bin/sh", ["-c", "cd; \(history)"], home: home).standardOutput
                return text.contains("earlier line 5") ? text : nil
            }
            for number in 1...5 { #expect(lines.contains("earlier line \(number)")) }
        }
        // What is typed afterwards reaches the program, and a reply of the terminal does not.
        try await terminal.type("more\r")
        try await terminal.wait(for: "more")
        try await terminal.type("\u{4}")
        try await terminal.wait(for: "ended")
        let screen = try await terminal.screen
        #expect(!screen.contains(";") && !screen.contains("^["), "\(screen)")
    }
}
