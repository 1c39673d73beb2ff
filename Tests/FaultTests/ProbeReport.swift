import Foundation
import TestSupport

/// The lines that a probe printed.
struct ProbeReport {
    let lines: [(subject: String, text: String)]
    let status: ExitStatus

    init(_ result: CommandResult) {
        status = result.status
        lines = result.standardOutput.split(separator: "\n").compactMap { line in
            line.firstRange(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
        }
    }

    /// All texts of a subject, in order.
    func all(_ subject: String) -> [String] { lines.filter { $0.subject == subject }.map(\.text) }

    func number(_ subject: String) -> Double { all(subject).last.flatMap(Double.init) ?? .nan }

    /// Runs a probe to its end.
    static func of(
        _ arguments: [String], shell: String? = nil, environment: [String: String?] = [:], home: TestFolder? = nil,
        within bound: Duration = patience
    ) async throws -> ProbeReport {
        let probe = try Products.path("FaultProbe")
        let environment = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { first, _ in first }
        guard let shell else {
            return ProbeReport(try await runCommand(probe, arguments, environment: environment, home: home, within: bound))
        }
        let words = ["-c", shell + #"; exec "$0" "$@""#, probe] + arguments
        return ProbeReport(try await runCommand("/bin/sh", words, environment: environment, home: home, within: bound))
    }
}
