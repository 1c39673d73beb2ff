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
            quit: HUP→all, CONT→all, +kill(5s) > cover running ending(person)
            suspend TSTP: -waits, leave, release, toBehind, stopJob > away running blocked ending(status)
            lend: -waits, leave, release, lent > lent running blocked ending(status)
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: -waits, release, HUP, CONT, hangUp > gone running drained blocked ending(status)
            resized: -realSize, size 30x5
            exited notStarted: watch > cover ended waiting for the rest ending(status)
            stopped wantsInput: CONT
            outputEnded: - > cover running drained ending(status)
            resumed: take, paint A, painted, CONT
            resumedBehind: -waits, leave, release, toBehind, CONT > away running blocked ending(status)
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            kill: killAll
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
            inputEnded: -waits, release, HUP, CONT, hangUp > gone running drained ending(status)
            resized: -realSize, size 30x5
            exited notStarted: watch > shown ended waiting for the rest ending(status)
            stopped wantsInput: CONT
            outputEnded: - > shown running drained ending(status)
            resumed: take, CONT
            resumedBehind: -waits, release, toBehind, CONT > away running ending(status)
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            TSTP: -waits, release, toBehind, stopJob > away running ending(status)
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
            suspend TSTP: -waits, leave, release, toBehind, stopJob > away running blocked ending(person)
            lend: -waits, leave, release, lent > lent running blocked ending(person)
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: -waits, release, HUP, CONT, hangUp > gone running drained blocked ending(person)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > cover ended ending(person)
            stopped wantsInput: CONT
            outputEnded: - > cover running drained ending(person)
            resumed: take, paint A, painted, CONT
            resumedBehind: -waits, leave, release, toBehind, CONT > away running blocked ending(person)
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            kill: KILL
            realSize: size 20x4
            """),
        // A paused program runs for a while to act on a signal that the guard has got.
        Section(
            "cover running ending(TERM)", after: "begun report startAllowed pauseA TERM",
            """
            blockA pauseA terminateA: painted
            blockB pauseB terminateB: paint B, painted
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted > shown running ending(TERM)
            quit: HUP→all, CONT→all, +kill(5s) > cover running ending(person)
            suspend TSTP: -waits, leave, release, toBehind, stopJob > away running blocked ending(TERM)
            lend: -waits, leave, release, lent > lent running blocked ending(TERM)
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: -waits, release, HUP, CONT, hangUp > gone running drained blocked ending(TERM)
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > cover ended ending(TERM)
            stopped wantsInput: CONT
            outputEnded: - > cover running drained ending(TERM)
            resumed: take, paint A, painted, CONT
            resumedBehind: -waits, leave, release, toBehind, CONT > away running blocked ending(TERM)
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            kill: pause > cover running paused
            realSize: size 20x4
            """),
        // The terminal is gone.
        Section(
            "gone running drained", after: "begun report startAllowed inputEnded",
            """
            blockA blockB: - > gone running drained blocked
            pauseA pauseB: pause > gone running paused drained blocked
            terminateA terminateB: TERM→all, CONT→all, +kill(10s) > gone running drained blocked ending(status)
            resized: -realSize, size 30x5
            exited: -kill, letGo, -all, finish exit 0 > finished
            notStarted: -kill, letGo, -all, finish not started (2) > finished
            stopped wantsInput: - > gone stopped drained
            resumed resumedBehind: CONT
            TERM INT QUIT USR1: $→program
            TSTP: TSTP
            realSize: size 20x4
            """),
        Section(
            "gone running paused drained blocked", after: "begun report startAllowed inputEnded pauseA",
            """
            blockA blockB: resume > gone running drained blocked
            terminateA terminateB: TERM→all, resume, CONT→all, +kill(10s) > gone running drained blocked ending(status)
            unblock: resume > gone running drained
            resized: -realSize, size 30x5
            exited notStarted: TERM→all, resume, CONT→all, +kill(5s), watch > gone ended waiting for the rest drained blocked ending(status)
            TERM: TERM→program, resume, +kill(5s) > gone running drained blocked ending(TERM)
            INT QUIT USR1: $→program
            TSTP: stopJob
            realSize: size 20x4
            """),
        Section(
            "gone stopped drained", after: "begun report startAllowed inputEnded stopped",
            """
            blockA blockB: - > gone stopped drained blocked
            pauseA pauseB: pause > gone stopped paused drained blocked
            terminateA terminateB: TERM→all, CONT→all, +kill(10s) > gone stopped drained blocked ending(status)
            resized: -realSize, size 30x5
            exited: -kill, letGo, -all, finish exit 0 > finished
            notStarted: -kill, letGo, -all, finish not started (2) > finished
            continued: - > gone running drained
            resumed resumedBehind: CONT > gone running drained
            TERM INT QUIT USR1: $→program
            TSTP: stopJob
            realSize: size 20x4
            """),
        // A paused program has ended. What it has started is ended as well.
        Section(
            "cover ended ending(status)", after: "begun report startAllowed terminateA exited treeEnded",
            """
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted > shown ended ending(status)
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: -waits, release, -all, finish refused > finished
            resized: -realSize, size 30x5
            outputEnded drain: -all, uncover, reset, release, finish refused > finished
            resumed: take, paint A, painted
            resumedBehind: -waits, leave, release > away ended blocked ending(status)
            """),
        // The program has ended.
        Section(
            "shown ended", after: "begun report startAllowed exited", output: "x",
            """
            key: type j
            report: type report
            ctrlC: type ^C
            escape: type ^[, +escapeKey
            inputEnded: -waits, release, -all, finish exit 0 > finished
            resized: -realSize, size 30x5
            outputEnded drain: -all, giveBack, release, finish exit 0 > finished
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
            inputEnded: -waits, release, -all, finish exit 0 > finished
            resized: -realSize, size 30x5
            outputEnded drain: -all, uncover, giveBack, release, finish exit 0 > finished
            resumed: take, paint A, painted
            resumedBehind: -waits, leave, release > away ended blocked
            """),
        Section(
            "cover ended waiting for the rest ending(status)", after: "begun report startAllowed terminateA exited",
            """
            blockA pauseA terminateA: painted
            blockB pauseB terminateB: paint B, painted
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted > shown ended waiting for the rest ending(status)
            quit kill: killAll
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: -waits, release > gone ended waiting for the rest drained blocked ending(status)
            resized: -realSize, size 30x5
            outputEnded drain: - > cover ended waiting for the rest drained ending(status)
            treeEnded: -kill, letGo, +drain > cover ended ending(status)
            resumed: take, paint A, painted
            resumedBehind: -waits, leave, release > away ended waiting for the rest blocked ending(status)
            """),
        Section(
            "away ended", after: "begunBehind startAllowed exited", output: "x",
            """
            inputEnded: -waits, -all, finish exit 0 > finished
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
            inputEnded: -waits, -all, finish exit 0 > finished
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
            inputEnded: -waits, -all, finish exit 0 > finished
            resized: -realSize, size 30x5
            outputEnded drain: - > lent ended drained blocked
            TERM HUP: -all, finish $ > finished
            TSTP: stopJob
            """),
        Section(
            "lent ended drained blocked", after: "begun report startAllowed blockA lend exited outputEnded",
            """
            unblock: - > lent ended drained
            takeBack: take, back, uncover, painted, -all, giveBack, release, finish exit 0 > finished
            inputEnded: -waits, -all, finish exit 0 > finished
            resized: -realSize, size 30x5
            TERM HUP: -all, finish $ > finished
            TSTP: stopJob
            """),
        Section("finished", after: "begun report startAllowed exited outputEnded", ""),
    ]
}
