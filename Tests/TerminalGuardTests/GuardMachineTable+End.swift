extension GuardMachineTable {
    /// Something ends the program, or it has ended and its last output may still come.
    static let atTheEnd: [Section] = [
        // The status ends the program.
        Section(
            "cover running ending(status)", after: "begun report startAllowed terminateA",
            """
            blockA pauseA terminateA: painted
            blockB pauseB terminateB: paint B, painted
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted > shown running ending(status)
            quit: HUP, CONT, +kill(5s) > cover running ending(person)
            suspend TSTP: -waits, leave, release, stopJob > away running blocked ending(status)
            lend: -waits, leave, release, lent > lent running blocked ending(status)
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: HUP, CONT, +kill(2s) > cover running ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > cover ended ending(status)
            stopped: CONT
            outputEnded: - > cover running drained ending(status)
            resumed: take, paint A, painted, CONT
            resumedBehind: -waits, leave, release, CONT > away running blocked ending(status)
            TERM HUP: $, CONT, +kill(2s) > cover running ending($)
            INT QUIT USR1: $→program
            kill: KILL
            realSize: size 20x4
            """),
        // The status has cleared meanwhile. A program that is still there after the grace is spared.
        Section(
            "shown running ending(status)", after: "begun report startAllowed terminateA unblock", output: "x",
            """
            blockA blockB pauseA pauseB terminateA terminateB: show #, painted > cover running ending(status)
            key: type j
            report: type report
            ctrlC: type ^C
            escape: type ^[, +escapeKey
            inputEnded: HUP, CONT, +kill(2s) > shown running ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > shown ended ending(status)
            stopped: CONT
            outputEnded: - > shown running drained ending(status)
            resumed: take, CONT
            resumedBehind: -waits, release, CONT > away running ending(status)
            TERM HUP: $, CONT, +kill(2s) > shown running ending($)
            INT QUIT USR1: $→program
            TSTP: -waits, release, stopJob > away running ending(status)
            kill: - > shown running
            realSize: size 20x4
            """),
        Section(
            "cover running ending(person)", after: "begun report startAllowed blockA quit",
            """
            blockA pauseA terminateA: painted
            blockB pauseB terminateB: paint B, painted
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted > shown running ending(person)
            suspend TSTP: -waits, leave, release, stopJob > away running blocked ending(person)
            lend: -waits, leave, release, lent > lent running blocked ending(person)
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: HUP, CONT, +kill(2s) > cover running ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > cover ended ending(person)
            stopped: CONT
            outputEnded: - > cover running drained ending(person)
            resumed: take, paint A, painted, CONT
            resumedBehind: -waits, leave, release, CONT > away running blocked ending(person)
            TERM HUP: $, CONT, +kill(2s) > cover running ending($)
            INT QUIT USR1: $→program
            kill: KILL
            realSize: size 20x4
            """),
        // A signal to the guard ends the program. The same signal again changes nothing.
        Section(
            "shown running ending(TERM)", after: "begun report startAllowed TERM", output: "x",
            """
            blockA blockB pauseA pauseB terminateA terminateB: show #, painted > cover running ending(TERM)
            key: type j
            report: type report
            ctrlC: type ^C
            escape: type ^[, +escapeKey
            inputEnded HUP: HUP, CONT, +kill(2s) > shown running ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > shown ended ending(TERM)
            stopped: CONT
            outputEnded: - > shown running drained ending(TERM)
            resumed: take, CONT
            resumedBehind: -waits, release, CONT > away running ending(TERM)
            INT QUIT USR1: $→program
            TSTP: -waits, release, stopJob > away running ending(TERM)
            kill: KILL
            realSize: size 20x4
            """),
        // The program has ended.
        Section(
            "shown ended", after: "begun report startAllowed exited", output: "x",
            """
            key: type j
            report: type report
            ctrlC: type ^C
            escape: type ^[, +escapeKey
            resized: -realSize, size 30x5
            outputEnded drain: -all, release, finish exit 0 > finished
            resumed: take
            resumedBehind: -waits, release > away ended
            """),
        Section(
            "cover ended", after: "begun report startAllowed blockA exited",
            """
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted > shown ended
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            resized: -realSize, size 30x5
            outputEnded drain: -all, uncover, release, finish exit 0 > finished
            resumed: take, paint A, painted
            resumedBehind: -waits, leave, release > away ended blocked
            """),
        Section(
            "cover ended ending(status)", after: "begun report startAllowed terminateA exited",
            """
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted > shown ended ending(status)
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            resized: -realSize, size 30x5
            outputEnded drain: -all, uncover, reset, release, finish refused > finished
            resumed: take, paint A, painted
            resumedBehind: -waits, leave, release > away ended blocked ending(status)
            """),
        Section(
            "away ended", after: "begunBehind startAllowed exited", output: "x",
            """
            resized: -realSize, size 30x5
            outputEnded drain: -all, finish exit 0 > finished
            resumed: take > shown ended
            TSTP: stopJob
            """),
        // Control-Z on the cover, bg, and the end: the output that was covered is shown.
        Section(
            "away ended blocked", after: "begun report startAllowed blockA suspend resumedBehind exited",
            """
            unblock: back, uncover > away ended
            resized: -realSize, size 30x5
            outputEnded drain: -all, back, uncover, finish exit 0 > finished
            resumed: take, back, uncover, painted > shown ended blocked
            TSTP: stopJob
            """),
        // The person finishes the update before the guard ends, unless a signal ends it.
        Section(
            "lent ended blocked", after: "begun report startAllowed blockA lend exited",
            """
            unblock: - > lent ended
            takeBack: take, back, uncover, painted > shown ended blocked
            inputEnded: -all, finish HUP > finished
            resized: -realSize, size 30x5
            outputEnded drain: - > lent ended drained blocked
            TERM HUP: -all, finish $ > finished
            TSTP: stopJob
            """),
        Section(
            "lent ended drained blocked", after: "begun report startAllowed blockA lend exited outputEnded",
            """
            unblock: - > lent ended drained
            takeBack: take, back, uncover, painted, -all, release, finish exit 0 > finished
            inputEnded: -all, finish HUP > finished
            resized: -realSize, size 30x5
            TERM HUP: -all, finish $ > finished
            TSTP: stopJob
            """),
        Section("finished", after: "begun report startAllowed exited outputEnded", ""),
    ]
}
