import Bellerophon
import Processes
import Testing

@testable import ProgramUpdates

/// What the terminal shows around an update command.
@Suite("The terminal of an update command") struct UpdateTextTests {
    private static func texts(_ phrases: OverlayPhrases) -> [String] {
        let text = UpdateText(phrases)
        let update = UpdateCommand("make", version: "1.5.2"), refresh = UpdateCommand("make", purpose: .refresh)
        var installed = UpdateFindings()
        installed.installed = "1.5.2"
        return [
            text.begin(update, of: "notes"), text.begin(UpdateCommand("make"), of: "notes"), text.begin(refresh, of: "notes"),
            text.begin(UpdateCommand("make", version: "1.3.0", goesBack: true), of: "notes"),
            text.begin(UpdateCommand("make", goesBack: true), of: "notes"), text.waits(for: nil), text.waits(for: 42),
            text.withoutLock(.phrase(\.terminal.noLock, ["reason": .foreign("EROFS")])),
            text.withoutLock(.phrase(\.terminal.notOwnFolder, ["path": .foreign("/state")])),
            text.updatedElsewhere("1.5.2", goesOn: false), text.ended(update, .exit(3), installed, goesOn: false),
            text.ended(update, .exit(0), installed, goesOn: false), text.ended(update, .exit(0), installed, goesOn: true),
            text.ended(refresh, .signal(9), UpdateFindings(), goesOn: false),
        ]
    }

    @Test("In English")
    func english() {
        let texts = Self.texts(.english)
        #expect(texts[0] == "\n── updating notes to 1.5.2 ──\n$ make\n\n")
        #expect(texts[6].hasPrefix("Another session (process 42) is updating it.\n"))
        #expect(texts[10] == "\n── the update failed with exit code 3 ── Press Enter to go back.\n")
        #expect(texts[11] == "\n── the update finished; 1.5.2 is installed ── Press Enter to go back.\n")
        #expect(texts[12] == "\n── 1.5.2 is installed ──\n")
    }

    @Test("In every other language no line is the English one", arguments: OverlayPhrases.all.dropFirst())
    func others(phrases: OverlayPhrases) {
        for (own, english) in zip(Self.texts(phrases), Self.texts(.english)) {
            let lines = own.split(separator: "\n").filter { $0 != "$ make" }
            #expect(Set(lines).isDisjoint(with: english.split(separator: "\n")), "\(own)")
            #expect(!own.contains("Press Enter") && !own.contains("exit code") && !own.contains("{"), "\(own)")
        }
    }
}
