import Foundation
import TestSupport
import Testing

/// The real program, built with optimisation, in a real terminal, against a server with random faults.
///
/// `make soak` sets the environment: `BELLEROPHON_SOAK_PROGRAM`, and optionally `BELLEROPHON_SOAK_MINUTES` or `_SEED`.
@Suite("Soak: the real program", .enabled(if: ProgramFigures.isKnown, "the system does not tell a program's memory"))
struct ProgramSoakProof {
    @Test("A long run keeps memory and descriptors constant and records every server status")
    func programUsesConstantMemory() async throws {
        let plan = try #require(SoakPlan.current)
        let soak = try await ProgramSoak(plan)
        try await soak.run()
        let report = try await soak.report
        print(report)
        #expect(report.growth < 5 * 1024, "resident memory grew by \(report.growth) KiB")
        #expect(report.end.descriptors == report.warm.descriptors, "file descriptors")
        #expect(await soak.seen == soak.told, "the journal says something else than the server")
    }
}

/// The duration and the seed of a run.
struct SoakPlan {
    let program: String
    let duration: Duration
    let seed: UInt64

    static var current: SoakPlan? {
        let environment = ProcessInfo.processInfo.environment
        guard let program = environment["BELLEROPHON_SOAK_PROGRAM"] else { return nil }
        let minutes = environment["BELLEROPHON_SOAK_MINUTES"].flatMap { Double($0) } ?? 10
        return SoakPlan(
            program: program, duration: .seconds(minutes * 60),
            seed: environment["BELLEROPHON_SOAK_SEED"].flatMap { UInt64($0) } ?? 1
        )
    }

    /// The time before the first measurement.
    var warmUp: Duration { min(.seconds(60), duration / 4) }
    /// The final phase: the dashboard is shown, the status is requested every second, and no fault occurs.
    var idle: Duration { min(.seconds(120), duration / 5) }
}

/// The measurements.
struct SoakFigures: CustomStringConvertible {
    let plan: SoakPlan
    let warm: ProgramFigures
    let end: ProgramFigures
    let idleShare: Double
    let highest: Int
    let turns: Int
    let faults: Int
    let requests: Int

    /// The growth since the warm-up, in KiB.
    var growth: Int { end.resident - warm.resident }

    var description: String {
        """
        soak: seed \(plan.seed), \(plan.duration.components.seconds / 60) min, \(requests) requests, \(faults) faults, \(turns) statuses
          resident memory  \(warm.resident) KiB after the warm-up, \(end.resident) KiB at the end (highest \(highest) KiB): \(growth) KiB more
          descriptors      \(warm.descriptors) → \(end.descriptors)
          threads          \(warm.threads) → \(end.threads)
          processor        \(String(format: "%.2f", idleShare * 100)) % of a core while idle, \(String(format: "%.1f", end.processorTime)) s in all
        """
    }
}
