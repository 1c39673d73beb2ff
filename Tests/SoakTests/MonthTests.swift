import Foundation
import TestSupport
import Testing

/// Months of an app's life on a driven clock: failed, hanging, late, double and stale replies, streams that fall, sleeps,
/// suspensions, restarts, a full disk and a wall clock that is set, with all that must hold looked at after every step.
///
/// `BELLEROPHON_SOAK_DAYS` and `BELLEROPHON_SOAK_SEEDS` (a number of them) make it longer. What fails prints the command
/// that shows it again.
@Suite("Soak: months on a driven clock")
struct MonthTests {
    private struct Report: Decodable {
        let seed: UInt64
        let days: Double
        let steps, checks, failedChecks, pushes, transitions, restarts, sleeps: Int
        let earlyKiB, lateKiB, earlyDescriptors, lateDescriptors: Int
    }

    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    @Test func aMonthLeavesNothingStuckAndNothingBehind() async throws {
        let days = Self.setting("BELLEROPHON_SOAK_DAYS") ?? 30
        let seeds = (1...max(1, Self.setting("BELLEROPHON_SOAK_SEEDS") ?? 1)).map(String.init)
        let bound = Duration.seconds(120 + days * seeds.count)
        let result = try await runCommand(Products.path("Soak"), ["\(days)"] + seeds, within: bound)
        #expect(result.status == .exited(0), "\(result.standardOutput)\(result.standardError)")
        let reports = try result.standardOutput.split(separator: "\n").map {
            try JSONDecoder().decode(Report.self, from: Data($0.utf8))
        }
        #expect(reports.count == seeds.count)
        for report in reports { check(report, days: days) }
    }

    private func check(_ report: Report, days: Int) {
        let seed = Comment(rawValue: "seed \(report.seed)")
        #expect(report.days >= Double(days), seed)
        // Enough happened for the rest to mean something.
        #expect(report.checks > 10 * days && report.failedChecks > days && report.transitions > days, seed)
        #expect(report.pushes > 0 && report.restarts > 0 && report.sleeps > 0, seed)
        #expect(report.lateDescriptors == report.earlyDescriptors, seed)
        // What an allocator keeps; a leaked manager or list would be more by far.
        #expect(report.lateKiB - report.earlyKiB < 4096 * Sanitizer.memoryFactor, seed)
    }
}
