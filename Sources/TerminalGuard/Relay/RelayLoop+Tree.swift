import Foundation

// The program and everything that it has started, as the monitor and the tree report it.
extension RelayLoop {
    mutating func reportFate() {
        if tree.summary != treeSummary {
            treeSummary = tree.summary
            report(.tree(treeSummary))
        }
        guard machine.fate != fate else { return }
        fate = machine.fate
        report(.program(fate))
    }

    mutating func readReports() {
        for report in program.readReports() {
            switch report {
            case .started:
                // The program has them, and a pipe ends with the program.
                if terminal == nil { OwnProcess.letGoOfInputAndOutput() }
            case .stopped(let number):
                // The job may have come to the foreground without notice, and the program wanted the terminal before that was seen.
                if machine.screen == .away { lookForTerminal() }
                handle(.programStopped(by: number))
            case .continued: handle(.programContinued)
            case .ended(let end):
                endedAt = .now
                handle(.programEnded(end))
            }
        }
    }
}
