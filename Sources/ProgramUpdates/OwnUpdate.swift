import Bellerophon

/// A program that updates itself at a person's command: what it says, asks and runs, and its exit status.
package struct OwnUpdate {
    /// What it needs of a terminal and of the system. The closures are called on the thread of ``perform()``.
    package struct Edge {
        /// Whether a person can answer a question.
        package var hasTerminal: Bool
        /// Shows a question and waits for the answer.
        package var confirms: (_ question: String) -> Bool
        /// Runs a shell command with further variables and waits for its end.
        /// - Returns: how it ended if it did not end well, as the verb of a sentence: `failed with exit code 100`.
        package var run: (_ command: String, _ variables: [String: String]) -> String?
        /// Prints a result.
        package var print: (_ text: String) -> Void
        /// Prints a problem, or text for a person beside a result for a program.
        package var reportProblem: (_ text: String) -> Void

        package init(
            hasTerminal: Bool, confirms: @escaping (String) -> Bool, run: @escaping (String, [String: String]) -> String?,
            print: @escaping (String) -> Void, reportProblem: @escaping (String) -> Void
        ) {
            (self.hasTerminal, self.confirms, self.run) = (hasTerminal, confirms, run)
            (self.print, self.reportProblem) = (print, reportProblem)
        }
    }

    /// What the person wants.
    package struct Choices: Equatable, Sendable {
        /// Whether it only says what can be had.
        package var onlyChecks = false
        /// Whether the result is JSON. Text for a person is then printed as a problem is.
        package var usesJSON = false
        /// Whether the command runs without a question.
        package var isConfirmed = false

        package init() {}
    }

    private let name: String
    private let running: String
    private let inspector: any UpdateInspector
    private let choices: Choices
    private let edge: Edge

    /// - Parameters:
    ///   - name: the name of the program, for sentences.
    ///   - running: the version that runs.
    package init(name: String, running: String, _ inspector: any UpdateInspector, _ choices: Choices, _ edge: Edge) {
        (self.name, self.running, self.inspector) = (name, running, inspector)
        (self.choices, self.edge) = (choices, edge)
    }

    private func report(_ findings: UpdateFindings) -> VersionReport {
        VersionReport(name: name, inspector.source, running: running, findings)
    }

    /// Asks the source, and runs the command unless it only checks. The thread waits.
    /// - Returns: the exit status: of a check 0, 10 or 69; of an update 0 if the newest version is installed, 1 if it is not, 64 if
    ///   there is nobody to ask, 69 if there is no command.
    package func perform() -> Int32 {
        let findings = inspector.findings()
        let report = report(findings)
        if choices.onlyChecks {
            edge.print(choices.usesJSON ? report.json : report.text)
            return report.exitCode
        }
        guard let command = report.command else {
            edge.print(choices.usesJSON ? report.json : report.text)
            // A newer version that this program can't get by itself is as good as unknown.
            if case .installed = report.standing { return 0 }
            return report.exitCode == 0 ? 0 : 69
        }
        printForPerson(report.text)
        guard choices.isConfirmed || edge.hasTerminal else {
            edge.reportProblem("update: there is no terminal for the question whether to run the command; give --yes to run it")
            return 64
        }
        guard choices.isConfirmed || edge.confirms("Run it? [y/N] ") else {
            printForPerson("Nothing was run.")
            return 1
        }
        return update(command, from: findings, report)
    }

    private func update(_ command: String, from findings: UpdateFindings, _ report: VersionReport) -> Int32 {
        var variables = ["BELLEROPHON_UPDATE_PROGRAM": inspector.source.installation.path]
        if case .newer(let candidate) = report.standing { variables["BELLEROPHON_UPDATE_VERSION"] = candidate.version }
        if let problem = edge.run(command, variables) {
            edge.reportProblem("update: the command \(problem): \(command)")
            if choices.usesJSON { edge.print(report.json) }
            return 1
        }
        let now = inspector.installed()
        let (hasMoved, text) = (report.hasMoved(now), report.text(after: now))
        if hasMoved { printForPerson(text) } else { edge.reportProblem(text) }
        if choices.usesJSON {
            var after = findings
            (after.installed, after.installedProblem) = (now.installed, now.installedProblem)
            edge.print(self.report(after).json)
        }
        return hasMoved ? 0 : 1
    }

    private func printForPerson(_ text: String) {
        if choices.usesJSON { edge.reportProblem(text) } else { edge.print(text) }
    }
}
