extension GuardMachineTable {
    /// The program was stopped, by the status, the person, a signal, or itself.
    static let whileItIsStopped: [Section] = [
        Section(
            "cover running paused", after: "begun report startAllowed pauseA",
            """
            blockA: painted, resume > cover running
            blockB: paint B, painted, resume > cover running
            pauseA: painted
            pauseB: paint B, painted
            terminateA: painted, TERM→all, resume, CONT→all, +kill(10s) > cover running ending(status)
            terminateB: paint B, painted, TERM→all, resume, CONT→all, +kill(10s) > cover running ending(status)
            pass: pass
            repaint: paint A, painted
            unblock: resume, uncover, painted > shown running
            quit: HUP→all, resume, CONT→all, +kill(5s) > cover running ending(person)
            suspend TSTP: -waits, leave, release, toBehind, stopJob > away running paused held blocked
            lend: -waits, leave, release, lent > lent running paused blocked
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: -waits, release, HUP, CONT, resume, +kill(5s), hangUp > gone running drained blocked ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: TERM→all, resume, CONT→all, +kill(5s), watch > cover ended waiting for the rest ending(status)
            outputEnded: - > cover running paused drained
            resumed: take, paint A, painted
            resumedBehind: -waits, leave, release, toBehind > away running paused blocked
            TERM: TERM→program, resume, +kill(5s) > cover running ending(TERM)
            HUP: HUP, CONT, resume, +kill(5s) > cover running ending(HUP)
            INT QUIT USR1: $→program
            realSize: size 20x4
            """),
        // Somebody has stopped the program. The job stops when the cover goes.
        Section(
            "cover stopped", after: "begun report startAllowed blockA stopped",
            """
            blockA: painted
            blockB: paint B, painted
            pauseA: painted, pause > cover stopped paused
            pauseB: paint B, painted, pause > cover stopped paused
            terminateA: painted, TERM→all, CONT→all, +kill(10s) > cover stopped ending(status)
            terminateB: paint B, painted, TERM→all, CONT→all, +kill(10s) > cover stopped ending(status)
            pass: pass
            repaint: paint A, painted
            unblock: uncover, painted, -waits, release, toBehind, stopJob > away stopped
            quit: HUP, CONT, +kill(5s) > cover stopped ending(person)
            suspend TSTP: STOP, -waits, leave, release, toBehind, stopJob > away stopped held blocked
            lend: -waits, leave, release, lent > lent stopped blocked
            key: press j
            report: type report
            ctrlC: press Ctrl-C
            escape: +escapeKey
            inputEnded: -waits, release, HUP, CONT, hangUp > gone stopped drained blocked
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > cover ended
            continued: - > cover running
            outputEnded: - > cover stopped drained
            resumed: take, paint A, painted, CONT > cover running
            resumedBehind: -waits, leave, release, toBehind, CONT > away running blocked
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            realSize: size 20x4
            """),
        // Stopped while the update command had the terminal.
        Section(
            "lent stopped", after: "begun report startAllowed blockA lend stopped unblock",
            """
            blockA blockB: - > lent stopped blocked
            pauseA pauseB: pause > lent stopped paused blocked
            terminateA terminateB: TERM→all, CONT→all, +kill(10s) > lent stopped blocked ending(status)
            takeBack: take, back, uncover, painted, -waits, release, toBehind, stopJob > away stopped
            inputEnded: -waits, HUP, CONT, hangUp > gone stopped drained
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > lent ended
            continued: - > lent running
            outputEnded: - > lent stopped drained
            TERM USR1: $→program
            HUP: HUP, CONT
            TSTP: stopJob
            realSize: size 20x4
            """),
        // Control-Z in the program. The guard's own process is stopped until it is resumed.
        Section(
            "away stopped", after: "begun report startAllowed stopped", output: "x",
            """
            blockA blockB: - > away stopped blocked
            pauseA pauseB: pause > away stopped paused blocked
            terminateA terminateB: TERM→all, CONT→all, +kill(10s) > away stopped blocked ending(status)
            inputEnded: -waits, HUP, CONT, hangUp > gone stopped drained
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended
            continued: - > away running
            outputEnded: - > away stopped drained
            resumed: take, toFront, CONT > shown running
            resumedBehind: CONT > away running
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            TSTP: stopJob
            realSize: size 20x4
            """),
        // Control-Z on the cover. The guard's own process is stopped until it is resumed.
        Section(
            "away running held blocked", after: "begun report startAllowed blockA suspend",
            """
            pauseA pauseB: pause > away running paused held blocked
            terminateA terminateB: TERM→all, CONT→all, +kill(10s) > away running blocked ending(status)
            unblock: back, uncover > away running held
            inputEnded: -waits, HUP, CONT, hangUp > gone running held drained blocked
            resized: -realSize, size 30x5
            exited notStarted: -kill, letGo, +drain > away ended blocked
            outputEnded: - > away running held drained blocked
            resumed: take, toFront, CONT, show A, painted > cover running
            resumedBehind: CONT > away running blocked
            TERM INT QUIT USR1: $→program
            HUP: HUP, CONT
            TSTP: stopJob
            realSize: size 20x4
            """),
        // Control-Z on the cover of a paused program: it stays paused when the job continues.
        Section(
            "away running paused held blocked", after: "begun report startAllowed pauseA suspend",
            """
            blockA blockB: resume > away running held blocked
            terminateA terminateB: TERM→all, resume, CONT→all, +kill(10s) > away running blocked ending(status)
            unblock: resume, back, uncover > away running held
            inputEnded: -waits, HUP, CONT, resume, +kill(5s), hangUp > gone running drained blocked ending(HUP)
            resized: -realSize, size 30x5
            exited notStarted: TERM→all, resume, CONT→all, +kill(5s), watch > away ended waiting for the rest blocked ending(status)
            outputEnded: - > away running paused held drained blocked
            resumed: take, toFront, show A, painted > cover running paused
            resumedBehind: - > away running paused blocked
            TERM: TERM→program, resume, +kill(5s) > away running blocked ending(TERM)
            HUP: HUP, CONT, resume, +kill(5s) > away running blocked ending(HUP)
            INT QUIT USR1: $→program
            TSTP: stopJob
            realSize: size 20x4
            """),
    ]
}
