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

    @Test(arguments: [
        // A tab moves to the last column where no stop is left, and the wrap behind it scrolls.
        "\u{1B}[2;25H\u{1B}[3g\u{1B}[12;33H\r\taa",
        // The second switch erases the screen that is shown already.
        "\u{1B}[?1047h\u{1B}[1;15H2d3j-+m 0lpb\u{1B}[?1047h\u{1B}[2;8H",
    ]) func shortOutputIsNotDisturbed(output: String) {
        for (period, chunk) in [(20, 20), (30, 10)] {
            var trial = NoticeTrial(stream: Array(output.utf8), columns: 40, rows: 12)
            trial.run(period: period, chunk: chunk)
            expectNone(trial.findings)
        }
    }

    private func expectNone(_ findings: [String]) {
        guard let first = findings.first else { return }
        Issue.record("\(findings.count) differences, the first: \(first)")
    }
}
