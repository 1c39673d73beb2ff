import Foundation
import TestSupport
import Testing

/// Months of an app's life on a manual clock: failed, hanging, late, duplicate and stale replies, interrupted streams,
/// sleeps, suspensions, restarts, a full disk and a changed wall clock. All invariants are checked after every step.
///
/// `BELLEROPHON_SOAK_DAYS` and `BELLEROPHON_SOAK_SEEDS` (the number of seeds) make the run longer. A failure prints the
/// command that reproduces it.
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
        let days = Self.setting("BELLEROPHON_SOAK_DAYS") ?? (Seed.proof == nil ? 10 : 30)
        let seeds = (1...max(1, Self.setting("BELLEROPHON_SOAK_SEEDS") ?? 1)).map(String.init)
        let bound = patience * (10 + days * seeds.count)
        let result = try await runCommand("Soak", ["\(days)"] + seeds, within: bound)
        #expect(result.status == .exited(0), "\(result.standardOutput)\(result.standardError)")
        let reports = try result.standardOutput.split(separator: "\n").map {
            try JSONDecoder().decode(Report.self, from: Data($0.utf8))
        }
        #expect(reports.count == seeds.count)
        for report in reports { expectSound(report, days: days) }
    }

    private func expectSound(_ report: Report, days: Int) {
        let seed = Comment(rawValue: "seed \(report.seed)")
        #expect(report.days >= Double(days), seed)
        // Enough events occurred for the other expectations to be meaningful.
        #expect(report.checks > 10 * days && report.failedChecks > days && report.transitions > days, seed)
        #expect(report.pushes > 0 && report.restarts > 0 && report.sleeps > 0, seed)
        #expect(report.lateDescriptors == report.earlyDescriptors, seed)
        // The allowance covers memory that an allocator retains; a leaked manager or list would exceed it.
        #expect(report.lateKiB - report.earlyKiB < 4096 * Sanitizer.memoryFactor, seed)
    }
}
