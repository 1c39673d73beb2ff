extension GuardMachineTable {
    /// The program runs, and nothing ends it.
    static let whileItRuns: [Section] = [
        Section(
            "shown running", after: "begun report startAllowed", output: "x",
            """
            blockA blockB: show #, painted > cover running
            pauseA pauseB: show #, painted, STOP > cover running paused sentSTOP
            terminateA terminateB: show #, painted, TERM, CONT, +kill(10s) > cover running ending(status)
            key: type j
            report: type report
            ctrlC: type ^C
            escape: type ^[, +escapeKey
            inputEnded: HUP, CONT, +kill(2s) > shown running ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > shown ended
            stopped: -waits, release, stopJob > away stopped
            outputEnded: - > shown running drained
            resumed: take, CONT
            resumedBehind: -waits, release, CONT > away running
            TERM HUP: $, CONT, +kill(2s) > shown running ending($)
            INT QUIT USR1: $→program
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
            inputEnded: HUP, CONT, +kill(2s) > covering running ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, -coverDeadline, +drain > shown ended blocked
            stopped: -waits, release, stopJob > away stopped blocked
            outputEnded: - > covering running drained
            resumed: take, CONT
            resumedBehind: -waits, release, CONT > away running blocked
            TERM HUP: $, CONT, +kill(2s) > covering running ending($)
            INT QUIT USR1: $→program
            TSTP: TSTP
            coverDeadline: show A, painted > cover running
            realSize: size 20x4
            """),
        Section(
            "cover running", after: "begun report startAllowed blockA",
            """
            blockA: painted
            blockB: paint B, painted
            pauseA: painted, STOP > cover running paused sentSTOP
            pauseB: paint B, painted, STOP > cover running paused sentSTOP
            terminateA: painted, TERM, CONT, +kill(10s) > cover running ending(status)
            terminateB: paint B, painted, TERM, CONT, +kill(10s) > cover running ending(status)
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted > shown running
            quit: HUP, CONT, +kill(5s) > cover running ending(person)
            suspend TSTP: -waits, leave, release, STOP, stopJob > away running held sentSTOP blocked
            lend: -waits, leave, release, lent > lent running blocked
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: HUP, CONT, +kill(2s) > cover running ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > cover ended
            stopped: - > cover stopped
            outputEnded: - > cover running drained
            resumed: take, paint A, painted, CONT
            resumedBehind: -waits, leave, release, CONT > away running blocked
            TERM HUP: $, CONT, +kill(2s) > cover running ending($)
            INT QUIT USR1: $→program
            realSize: size 20x4
            """),
        // The update command has the terminal.
        Section(
            "lent running blocked", after: "begun report startAllowed blockA lend",
            """
            pauseA pauseB: STOP > lent running paused sentSTOP blocked
            terminateA terminateB: TERM, CONT, +kill(10s) > lent running blocked ending(status)
            unblock: - > lent running
            takeBack: take, show A, painted > cover running
            inputEnded: HUP, CONT, +kill(2s) > lent running blocked ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > lent ended blocked
            stopped: - > lent stopped blocked
            outputEnded: - > lent running drained blocked
            TERM HUP: $, CONT, +kill(2s) > lent running blocked ending($)
            USR1: USR1→program
            TSTP: stopJob
            realSize: size 20x4
            """),
        // In the background. What is typed there belongs to the shell.
        Section(
            "away running", after: "begunBehind startAllowed", output: "x",
            """
            blockA blockB: - > away running blocked
            pauseA pauseB: STOP > away running paused sentSTOP blocked
            terminateA terminateB: TERM, CONT, +kill(10s) > away running blocked ending(status)
            inputEnded: HUP, CONT, +kill(2s) > away running ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended
            stopped: stopJob > away stopped
            outputEnded: - > away running drained
            resumed: take, CONT > shown running
            resumedBehind: CONT
            TERM HUP: $, CONT, +kill(2s) > away running ending($)
            INT QUIT USR1: $→program
            TSTP: TSTP
            realSize: size 20x4
            """),
        // Control-Z on the cover, and bg. What the program writes waits, as under the cover.
        Section(
            "away running blocked", after: "begun report startAllowed blockA suspend stopped resumedBehind continued",
            """
            pauseA pauseB: STOP > away running paused sentSTOP blocked
            terminateA terminateB: TERM, CONT, +kill(10s) > away running blocked ending(status)
            unblock: back, uncover > away running
            inputEnded: HUP, CONT, +kill(2s) > away running blocked ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended blocked
            stopped: stopJob > away stopped blocked
            outputEnded: - > away running drained blocked
            resumed: take, CONT, show A, painted > cover running
            resumedBehind: CONT
            TERM HUP: $, CONT, +kill(2s) > away running blocked ending($)
            INT QUIT USR1: $→program
            TSTP: TSTP
            realSize: size 20x4
            """),
    ]
}
