import Bellerophon
import TerminalUI
import TestSupport
import Testing

@testable import BellerophonViews

/// Questions on whole screens.
@MainActor @Suite struct QuestionGoldenTests {
    private static let sizes = [(80, 24), (40, 12), (20, 6), (200, 60), (12, 2)].map { Size(columns: $0.0, rows: $0.1) }

    private func expectGoldens(
        _ key: Key, _ content: OverlayContent = OverlayUnderTest.outdated, after time: Duration = .seconds(1),
        glyphs: GlyphStyle = .unicode, named name: String
    ) {
        var overlay = OverlayUnderTest(ForceUpdateView(), content)
        overlay.press(key)
        overlay.pass(time)
        for size in Self.sizes {
            overlay.size = size
            expectGolden(overlay.frame, named: name, glyphs: glyphs)
        }
    }

    @Test func theCommand() {
        expectGoldens(.character("u"), named: "run")
        expectGoldens(.character("u"), after: .milliseconds(300), named: "run-early")
        expectGoldens(.character("u"), glyphs: .ascii, named: "run-ascii")
    }

    @Test func aLongCommand() {
        var content = OverlayUnderTest.outdated
        content.app.updateCommand =
            "sudo apt-get update && sudo apt-get install --only-upgrade --yes "
            + (1...40).map { "example-part-\($0)" }.joined(separator: " ") + "\n# 最后一步：请重新启动服务"
        expectGoldens(.character("u"), content, named: "run-long")
    }

    @Test func theAddress() { expectGoldens(.character("o"), named: "open") }

    @Test func theEnd() {
        expectGoldens(.control("c"), named: "end")
        var content = OverlayUnderTest.outdated
        content.app = AppInfo(name: "数据库编辑器")
        content.app.mayLoseWork = false
        expectGoldens(.character("q"), content, named: "end-without-work")
    }
}
