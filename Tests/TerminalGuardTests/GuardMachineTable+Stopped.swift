extension GuardMachineTable {
    /// The program was stopped, by the status, the person, a signal, or itself.
    static let whileItIsStopped: [Section] = [
        Section(
            "cover running paused sentSTOP", after: "begun report startAllowed pauseA",
            """
            stopped: - > cover running paused
            blockA: painted, CONT > cover running sentSTOP
            blockB: paint B, painted, CONT > cover running sentSTOP
            pauseA: painted
            pauseB: paint B, painted
            terminateA: painted, TERM, CONT, +kill(10s) > cover running sentSTOP ending(status)
            terminateB: paint B, painted, TERM, CONT, +kill(10s) > cover running sentSTOP ending(status)
            pass: pass
            repaint: paint A, painted
            unblock: CONT, uncover, painted > shown running sentSTOP
            quit: HUP, CONT, +kill(5s) > cover running sentSTOP ending(person)
            suspend TSTP: -waits, leave, release, stopJob > away running paused held sentSTOP blocked
            lend: -waits, leave, release, lent > lent running paused sentSTOP blocked
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: HUP, CONT, +kill(2s) > cover running sentSTOP ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > cover ended
            outputEnded: - > cover running paused sentSTOP drained
            resumed: take, paint A, painted
            resumedBehind: -waits, leave, release > away running paused sentSTOP blocked
            TERM HUP: $, CONT, +kill(2s) > cover running sentSTOP ending($)
            INT QUIT USR1: $→program
            realSize: size 20x4
            """),
        // The status has cleared, and the report of the pause comes late: it must not stop the job.
        Section(
            "shown running sentSTOP", after: "begun report startAllowed pauseA unblock", output: "x",
            """
            blockA blockB: show #, painted > cover running sentSTOP
            pauseA pauseB: show #, painted, STOP > cover running paused sentSTOP
            terminateA terminateB: show #, painted, TERM, CONT, +kill(10s) > cover running sentSTOP ending(status)
            key: type j
            report: type report
            ctrlC: type ^C
            escape: type ^[, +escapeKey
            inputEnded: HUP, CONT, +kill(2s) > shown running sentSTOP ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > shown ended
            stopped: CONT > shown running
            outputEnded: - > shown running sentSTOP drained
            resumed: take, CONT
            resumedBehind: -waits, release, CONT > away running sentSTOP
            TERM HUP: $, CONT, +kill(2s) > shown running sentSTOP ending($)
            INT QUIT USR1: $→program
            TSTP: TSTP
            realSize: size 20x4
            """),
        // Somebody has stopped the program. The job stops when the cover goes.
        Section(
            "cover stopped", after: "begun report startAllowed blockA stopped",
            """
            blockA: painted
            blockB: paint B, painted
            pauseA: painted, STOP > cover stopped paused sentSTOP
            pauseB: paint B, painted, STOP > cover stopped paused sentSTOP
            terminateA: painted, TERM, CONT, +kill(10s) > cover stopped ending(status)
            terminateB: paint B, painted, TERM, CONT, +kill(10s) > cover stopped ending(status)
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted, -waits, release, stopJob > away stopped
            quit: HUP, CONT, +kill(5s) > cover stopped ending(person)
            suspend TSTP: -waits, leave, release, STOP, stopJob > away stopped held sentSTOP blocked
            lend: -waits, leave, release, lent > lent stopped blocked
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: HUP, CONT, +kill(2s) > cover stopped ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > cover ended
            continued: - > cover running
            outputEnded: - > cover stopped drained
            resumed: take, paint A, painted, CONT > cover running
            resumedBehind: -waits, leave, release, CONT > away running blocked
            TERM HUP: $, CONT, +kill(2s) > cover stopped ending($)
            INT QUIT USR1: $→program
            realSize: size 20x4
            """),
        // Stopped while the update command had the terminal.
        Section(
            "lent stopped", after: "begun report startAllowed blockA lend stopped unblock",
            """
            blockA blockB: - > lent stopped blocked
            pauseA pauseB: STOP > lent stopped paused sentSTOP blocked
            terminateA terminateB: TERM, CONT, +kill(10s) > lent stopped blocked ending(status)
            takeBack: take, back, uncover, painted, -waits, release, stopJob > away stopped
            inputEnded: HUP, CONT, +kill(2s) > lent stopped ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > lent ended
            continued: - > lent running
            outputEnded: - > lent stopped drained
            TERM HUP: $, CONT, +kill(2s) > lent stopped ending($)
            USR1: USR1→program
            TSTP: stopJob
            realSize: size 20x4
            """),
        // Control-Z in the program. The guard's own process is stopped until it is resumed.
        Section(
            "away stopped", after: "begun report startAllowed stopped", output: "x",
            """
            blockA blockB: - > away stopped blocked
            pauseA pauseB: STOP > away stopped paused sentSTOP blocked
            terminateA terminateB: TERM, CONT, +kill(10s) > away stopped blocked ending(status)
            inputEnded: HUP, CONT, +kill(2s) > away stopped ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended
            continued: - > away running
            outputEnded: - > away stopped drained
            resumed: take, CONT > shown running
            resumedBehind: CONT > away running
            TERM HUP: $, CONT, +kill(2s) > away stopped ending($)
            INT QUIT USR1: $→program
            TSTP: stopJob
            realSize: size 20x4
            """),
        // Control-Z on the cover. The guard's own process is stopped until it is resumed.
        Section(
            "away running held sentSTOP blocked", after: "begun report startAllowed blockA suspend",
            """
            stopped: - > away running held blocked
            pauseA pauseB: - > away running paused held sentSTOP blocked
            terminateA terminateB: TERM, CONT, +kill(10s) > away running sentSTOP blocked ending(status)
            unblock: back, uncover > away running held sentSTOP
            inputEnded: HUP, CONT, +kill(2s) > away running sentSTOP blocked ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended blocked
            outputEnded: - > away running held sentSTOP drained blocked
            resumed: take, CONT, show A, painted > cover running sentSTOP
            resumedBehind: CONT > away running sentSTOP blocked
            TERM HUP: $, CONT, +kill(2s) > away running sentSTOP blocked ending($)
            INT QUIT USR1: $→program
            TSTP: stopJob
            realSize: size 20x4
            """),
        // Control-Z on the cover of a paused program: it stays paused when the job continues.
        Section(
            "away running paused held sentSTOP blocked", after: "begun report startAllowed pauseA suspend",
            """
            stopped: - > away running paused held blocked
            blockA blockB: - > away running held sentSTOP blocked
            terminateA terminateB: TERM, CONT, +kill(10s) > away running sentSTOP blocked ending(status)
            unblock: back, uncover > away running held sentSTOP
            inputEnded: HUP, CONT, +kill(2s) > away running sentSTOP blocked ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended blocked
            outputEnded: - > away running paused held sentSTOP drained blocked
            resumed: take, show A, painted > cover running paused sentSTOP
            resumedBehind: - > away running paused sentSTOP blocked
            TERM HUP: $, CONT, +kill(2s) > away running sentSTOP blocked ending($)
            INT QUIT USR1: $→program
            TSTP: stopJob
            realSize: size 20x4
            """),
    ]
}
