import Bellerophon
import TerminalUI
import Testing

@testable import BellerophonViews

/// What a view and a shell are told of a program that a status ends, and of one that was updated.
@MainActor @Suite("Views: the end and the update of a program")
struct ViewTruthTests {
    private func screen(_ content: OverlayContent, _ view: any OverlayView) -> String {
        var test = OverlayUnderTest(view, content)
        // Room for every line.
        test.size = Size(columns: 100, rows: 50)
        return test.screen
    }

    @Test("A view over a program that is about to be ended does not say that it goes by itself", arguments: [nil, "Back soon."])
    func endingProgram(message: String?) {
        var content = OverlayUnderTest.paused
        content.message = message
        content.program = .running
        #expect(screen(content, KillSwitchView()).contains("goes by itself"))
        content.program = .ending(after: .seconds(7))
        let ending = screen(content, KillSwitchView())
        #expect(ending.contains("will be ended") && !ending.contains("goes by itself"))
        #expect(message != nil || ending.contains("The service is paused, without a message."))
    }

    @Test("After the end of a program the shell is told that it was ended")
    func lineForTheShell() {
        var content = OverlayUnderTest.paused
        content.message = "Back soon."
        #expect(OverlayWords.summary(content, name: "vim") == "vim is paused (demo.local): Back soon.")
        #expect(OverlayWords.summary(content, name: "vim", wasEnded: true) == "vim was ended (demo.local): Back soon.")
    }

    @Test("After an update the header names the version that is installed")
    func headerAfterAnUpdate() {
        var content = OverlayUnderTest.outdated
        content.app.version = "1.4.0"
        content.update = UpdateReport(.ready("1.5.2"))
        #expect(screen(content, ForceUpdateView()).split(separator: "\n").first?.contains("1.4.0") == true)
        content.update = UpdateReport(.installed("1.5.2"))
        let header = screen(content, ForceUpdateView()).split(separator: "\n").first
        #expect(header?.contains("1.5.2") == true && header?.contains("1.4.0") == false)
    }
}
