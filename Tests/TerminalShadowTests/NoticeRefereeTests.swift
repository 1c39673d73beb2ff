import TestSupport
import Testing

/// libvterm judges whether a notice that comes and goes leaves anything on the terminal.
@Suite("Referee of notices", .enabled(if: RefereeTerminal.isAvailable, "libvterm is not installed"))
struct NoticeRefereeTests {
    @Test(arguments: Recording.all, [4096, 37]) func onlyTheNoticesCellsDiffer(recording: Recording, chunk: Int) {
        var trial = NoticeTrial(stream: recording.bytes)
        trial.run(period: 500, chunk: chunk)
        #expect(trial.shown > 0)
        expectNone(trial.findings)
    }

    @Test(arguments: Seed.range("streams below notices", default: 0..<60)) func randomOutputIsNotDisturbed(seed: UInt64) {
        var trial = NoticeTrial(stream: RandomStream.bytes(seed: seed, columns: 40, rows: 12), columns: 40, rows: 12)
        trial.run(period: 50, chunk: 20)
        expectNone(trial.findings)
    }

    private func expectNone(_ findings: [String]) {
        guard let first = findings.first else { return }
        Issue.record("\(findings.count) differences, the first: \(first)")
    }
}
