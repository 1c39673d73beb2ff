extension GuardMachineTable {
    /// The program was not started.
    static let beforeTheStart: [Section] = [
        // The start waits for the cursor report. Whatever ends the guard waits for it too: a shell would get it as input.
        Section(
            "shown waiting asking", after: "begun", output: "x",
            """
            startAllowed: - > shown waiting asking allowed
            startRefused: - > shown waiting asking ending(status)
            blockA blockB pauseA pauseB terminateA terminateB: - > shown waiting asking blocked
            key: type j
            report: -cursorReport > shown waiting
            ctrlC: type ^C > shown waiting asking ending(INT)
            escape: +escapeKey
            inputEnded HUP: -all, release, finish HUP > finished
            resized: -realSize, size 30x5, -cursorReport, +lateReport > shown waiting late
            exited notStarted: -kill, letGo, +drain > shown ended asking
            outputEnded: - > shown waiting asking drained
            resumed: take
            resumedBehind: -waits, release > away waiting
            TERM INT QUIT: - > shown waiting asking ending($)
            TSTP: -waits, release, stopJob > away waiting
            cursorReport: +lateReport > shown waiting late
            """),
        // The keys Ctrl-C, Ctrl-Z and Ctrl-\\ act as in a program that has just been started.
        Section(
            "shown waiting", after: "begun report", output: "x",
            """
            startAllowed: start > shown running
            startRefused: -all, release, finish refused > finished
            blockA blockB pauseA pauseB terminateA terminateB: show #, painted > cover waiting
            key: type j
            report: type report
            ctrlC: type ^C, -all, release, finish INT > finished
            escape: type ^[, +escapeKey
            inputEnded HUP: -all, release, finish HUP > finished
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > shown ended
            outputEnded: - > shown waiting drained
            resumed: take
            resumedBehind: -waits, release > away waiting
            TERM INT QUIT: -all, release, finish $ > finished
            TSTP: -waits, release, stopJob > away waiting
            """),
        // The reply did not come in time. If it comes later, neither the program nor the shell gets it.
        Section(
            "shown waiting late", after: "begun cursorReport", output: "x",
            """
            startAllowed: start > shown running late
            startRefused: -others > closing (refused)
            blockA blockB pauseA pauseB terminateA terminateB: show #, painted > cover waiting late
            key: type j
            report: -lateReport > shown waiting
            ctrlC: type ^C, -others > closing (INT)
            escape: +escapeKey
            inputEnded HUP: -all, release, finish HUP > finished
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > shown ended late
            outputEnded: - > shown waiting late drained
            resumed: take
            resumedBehind: -waits, release > away waiting
            TERM INT QUIT: -others > closing ($)
            TSTP: -waits, release, stopJob > away waiting
            lateReport: - > shown waiting overdue
            """),
        // Nothing waits for a reply that comes still later. It is taken out of the input all the same.
        Section(
            "shown waiting overdue", after: "begun cursorReport lateReport", output: "x",
            """
            startAllowed: start > shown running overdue
            startRefused: -all, release, finish refused > finished
            blockA blockB pauseA pauseB terminateA terminateB: show #, painted > cover waiting overdue
            key: type j
            report: -lateReport > shown waiting
            ctrlC: type ^C, -all, release, finish INT > finished
            escape: +escapeKey
            inputEnded HUP: -all, release, finish HUP > finished
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > shown ended overdue
            outputEnded: - > shown waiting overdue drained
            resumed: take
            resumedBehind: -waits, release > away waiting
            TERM INT QUIT: -all, release, finish $ > finished
            TSTP: -waits, release, stopJob > away waiting
            """),
        // Only the reply is awaited. Keys go nowhere, and the guard ends soon in any case, so it ignores most signals.
        Section(
            "closing (refused)", after: "begun cursorReport startRefused",
            """
            report inputEnded resumedBehind HUP lateReport: -all, release, finish refused > finished
            resumed: take
            """),
        // The cover waits for the reply too, which says how it can be shown.
        Section(
            "shown waiting asking blocked", after: "begun blockA", output: "x",
            """
            startAllowed: - > shown waiting asking allowed blocked
            startRefused: - > shown waiting asking blocked ending(status)
            unblock: - > shown waiting asking
            key: type j
            report: -cursorReport, show A, painted > cover waiting
            ctrlC: type ^C > shown waiting asking blocked ending(INT)
            escape: +escapeKey
            inputEnded HUP: -all, release, finish HUP > finished
            resized: -realSize, size 30x5, -cursorReport, +lateReport, show A, painted > cover waiting late
            exited notStarted: -kill, letGo, +drain > shown ended asking blocked
            outputEnded: - > shown waiting asking drained blocked
            resumed: take
            resumedBehind: -waits, release > away waiting blocked
            TERM INT QUIT: - > shown waiting asking blocked ending($)
            TSTP: -waits, release, stopJob > away waiting blocked
            cursorReport: +lateReport, show A, painted > cover waiting late
            """),
        // The guard ends as soon as the reply has come, or its time is over. A cover would only flash.
        Section(
            "shown waiting asking ending(status)", after: "begun startRefused", output: "x",
            """
            startAllowed: - > shown waiting asking allowed ending(status)
            key: type j
            report: -cursorReport, -all, release, finish refused > finished
            ctrlC: type ^C > shown waiting asking ending(INT)
            escape: +escapeKey
            inputEnded HUP: -all, release, finish HUP > finished
            resized: -realSize, size 30x5, -cursorReport, +lateReport, -others > closing (refused)
            exited notStarted: -kill, letGo, +drain > shown ended asking ending(status)
            outputEnded: - > shown waiting asking drained ending(status)
            resumed: take
            resumedBehind: -waits, release, -all, finish refused > finished
            TERM INT QUIT: - > shown waiting asking ending($)
            TSTP: -waits, release, stopJob > away waiting ending(status)
            cursorReport: +lateReport, -others > closing (refused)
            """),
        Section(
            "cover waiting", after: "begun report blockA",
            """
            startAllowed: start > cover running
            startRefused quit: -all, uncover, release, finish refused > finished
            blockA pauseA terminateA: painted
            blockB pauseB terminateB: paint B, painted
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted > shown waiting
            suspend TSTP: -waits, leave, release, stopJob > away waiting blocked
            lend: -waits, leave, release, lent > lent waiting blocked
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded HUP: -all, uncover, release, finish HUP > finished
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > cover ended
            outputEnded: - > cover waiting drained
            resumed: take, paint A, painted
            resumedBehind: -waits, leave, release > away waiting blocked
            TERM INT QUIT: -all, uncover, release, finish $ > finished
            """),
        Section(
            "away waiting", after: "begunBehind", output: "x",
            """
            startAllowed: startBehind > away running
            startRefused: -all, finish refused > finished
            blockA blockB pauseA pauseB terminateA terminateB: - > away waiting blocked
            inputEnded HUP: -all, finish HUP > finished
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended
            outputEnded: - > away waiting drained
            resumed: take > shown waiting
            TERM INT QUIT: -all, finish $ > finished
            TSTP: stopJob
            """),
        // Control-Z on the cover.
        Section(
            "away waiting blocked", after: "begun report blockA suspend",
            """
            startAllowed: startBehind > away running blocked
            startRefused: -all, finish refused > finished
            unblock: - > away waiting
            inputEnded HUP: -all, finish HUP > finished
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended blocked
            outputEnded: - > away waiting drained blocked
            resumed: take, show A, painted > cover waiting
            TERM INT QUIT: -all, finish $ > finished
            TSTP: stopJob
            """),
        // The update command has the terminal: nothing is started and nothing is shown before it ends.
        Section(
            "lent waiting blocked", after: "begun report blockA lend",
            """
            startAllowed: - > lent waiting allowed blocked
            startRefused: - > lent waiting blocked ending(status)
            unblock: - > lent waiting
            takeBack: take, show A, painted > cover waiting
            inputEnded HUP: -all, finish HUP > finished
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > lent ended blocked
            outputEnded: - > lent waiting drained blocked
            TERM: -all, finish TERM > finished
            TSTP: stopJob
            """),
        Section(
            "lent waiting allowed", after: "begun report blockA lend unblock startAllowed",
            """
            startHeld: - > lent waiting
            startRefused: - > lent waiting allowed ending(status)
            blockA blockB pauseA pauseB terminateA terminateB: - > lent waiting allowed blocked
            takeBack: take, back, uncover, painted, start > shown running
            inputEnded HUP: -all, finish HUP > finished
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > lent ended
            outputEnded: - > lent waiting allowed drained
            TERM: -all, finish TERM > finished
            TSTP: stopJob
            """),
    ]
}
