extension GuardMachineTable {
    /// The program runs, and nothing ends it.
    static let whileItRuns: [Section] = [
        Section(
            "shown running", after: "begun report startAllowed", output: "x",
            """
            blockA blockB: show #, painted > cover running
            pauseA pauseB: show #, painted, pause > cover running paused
            terminateA terminateB: show #, painted, TERM→all, CONT→all, +kill(10s) > cover running ending(status)
            key: type j
            report: type report
            ctrlC: type ^C
            escape: type ^[, +escapeKey
            inputEnded: -waits, release, HUP, CONT, hangUp > gone running drained
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > shown ended
            stopped: -waits, release, toBehind, stopJob > away stopped
            wantsInput: -waits, release, toBehind, stopJob(TTIN) > away stopped
            outputEnded: - > shown running drained
            resumed: take, CONT
            resumedBehind: -waits, release, toBehind, CONT > away running
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            TSTP: TSTP
            realSize: size 20x4
            """),
        // The cover waits for the end of a sequence that the terminal has a part of.
        Section(
            "covering running", after: "begun report startAllowed overlong blockA",
            """
            unblock: -coverDeadline > shown running
            key: type j
            report: type report
            ctrlC: type ^C
            escape: type ^[, +escapeKey
            inputEnded: -waits, release, HUP, CONT, hangUp > gone running drained blocked
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, -coverDeadline, +drain > shown ended blocked
            stopped: -waits, release, toBehind, stopJob > away stopped blocked
            wantsInput: -waits, release, toBehind, stopJob(TTIN) > away stopped blocked
            outputEnded: - > covering running drained
            resumed: take, CONT
            resumedBehind: -waits, release, toBehind, CONT > away running blocked
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            TSTP: TSTP
            coverDeadline: show A, painted > cover running
            realSize: size 20x4
            """),
        Section(
            "cover running", after: "begun report startAllowed blockA",
            """
            blockA: painted
            blockB: paint B, painted
            pauseA: painted, pause > cover running paused
            pauseB: paint B, painted, pause > cover running paused
            terminateA: painted, TERM→all, CONT→all, +kill(10s) > cover running ending(status)
            terminateB: paint B, painted, TERM→all, CONT→all, +kill(10s) > cover running ending(status)
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted > shown running
            quit: HUP, CONT, +kill(5s) > cover running ending(person)
            suspend TSTP: STOP, -waits, leave, release, toBehind, stopJob > away running held blocked
            lend: -waits, leave, release, lent > lent running blocked
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: -waits, release, HUP, CONT, hangUp > gone running drained blocked
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > cover ended
            stopped wantsInput: - > cover stopped
            outputEnded: - > cover running drained
            resumed: take, paint A, painted, CONT
            resumedBehind: -waits, leave, release, toBehind, CONT > away running blocked
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            realSize: size 20x4
            """),
        // The update command has the terminal.
        Section(
            "lent running blocked", after: "begun report startAllowed blockA lend",
            """
            pauseA pauseB: pause > lent running paused blocked
            terminateA terminateB: TERM→all, CONT→all, +kill(10s) > lent running blocked ending(status)
            unblock: - > lent running
            takeBack: take, show A, painted > cover running
            inputEnded: -waits, HUP, CONT, hangUp > gone running drained blocked
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > lent ended blocked
            stopped wantsInput: - > lent stopped blocked
            outputEnded: - > lent running drained blocked
            TERM USR1: $→program
            HUP: HUP, CONT
            TSTP: stopJob
            realSize: size 20x4
            """),
        // In the background. What is typed there belongs to the shell.
        Section(
            "away running", after: "begunBehind startAllowed", output: "x",
            """
            blockA blockB: - > away running blocked
            pauseA pauseB: pause > away running paused blocked
            terminateA terminateB: TERM→all, CONT→all, +kill(10s) > away running blocked ending(status)
            inputEnded: -waits, HUP, CONT, hangUp > gone running drained
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended
            stopped: stopJob > away stopped
            wantsInput: stopJob(TTIN) > away stopped
            outputEnded: - > away running drained
            resumed: take, toFront, CONT > shown running
            resumedBehind: CONT
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            TSTP: TSTP
            realSize: size 20x4
            """),
        // Control-Z on the cover, and bg. What the program writes waits, as under the cover.
        Section(
            "away running blocked", after: "begun report startAllowed blockA suspend stopped resumedBehind continued",
            """
            pauseA pauseB: pause > away running paused blocked
            terminateA terminateB: TERM→all, CONT→all, +kill(10s) > away running blocked ending(status)
            unblock: back, uncover > away running
            inputEnded: -waits, HUP, CONT, hangUp > gone running drained blocked
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended blocked
            stopped: stopJob > away stopped blocked
            wantsInput: stopJob(TTIN) > away stopped blocked
            outputEnded: - > away running drained blocked
            resumed: take, toFront, CONT, show A, painted > cover running
            resumedBehind: CONT
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            TSTP: TSTP
            realSize: size 20x4
            """),
    ]
}
