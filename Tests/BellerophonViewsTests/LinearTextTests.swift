import Bellerophon
import BellerophonViews
import Foundation
import TerminalUI
import TestSupport
import Testing

@MainActor @Suite struct LinearTextTests {
    @Test("The text of a pause says one statement in a line, in reading order")
    func pause() {
        var content = OverlaySamples.guarded(.running)
        content.date = OverlaySamples.since.addingTimeInterval(217)
        let lines = LinearText(content, keys: OverlayCommand.standardKeys).lines
        expectGolden(lines.joined(separator: "\n"), file: "linear-pause.txt")
        var update = OverlaySamples.update
        (update.failures, update.failure) = (2, "connection refused")
        let updateLines = LinearText(update, keys: OverlayCommand.updateKeys).lines
        expectGolden(updateLines.joined(separator: "\n"), file: "linear-update.txt")
    }

    @Test("Keys that do not count yet are not named, and a notice is a line")
    func arriving() {
        var content = OverlaySamples.paused
        content.presentation.ignoresKeys = true
        content.presentation.notice = "keys ignored; pause for a moment"
        let lines = LinearText(content, keys: OverlayCommand.standardKeys).lines
        #expect(lines.suffix(2) == ["Keys ignored; pause for a moment.", "Keys count in a moment."])
    }
}

@MainActor @Suite struct LinearViewTests {
    private let view = LinearView(keys: OverlayCommand.standardKeys)
    private static let size = Size(columns: 80, rows: 12)

    /// The lines of the next frame, without the empty ones at its end.
    private func lines(_ content: OverlayContent, _ size: Size = size) -> [String] {
        Self.lines(of: view.frame(content, size))
    }

    fileprivate static func lines(of frame: Frame) -> [String] {
        frame.text.split(separator: "\n").map { String($0.reversed().drop { $0 == " " }.reversed()) }.filter { !$0.isEmpty }
    }

    @Test("Lines are only added: when the cover begins, when something changes and when it ends")
    func transcript() {
        var content = OverlaySamples.guarded(.running)
        content.message = "Back soon."
        content.presentation.ignoresKeys = true
        let first = lines(content)
        #expect(first == ["vim is paused (demo.local): Back soon.", "vim continues underneath, and unsaved work is kept."])
        content.presentation.ignoresKeys = false
        let second = lines(content)
        #expect(Array(second.prefix(2)) == first && second.count == 3 && second[2].hasPrefix("Keys: r check now, d details"))
        content.countdown = .init(remaining: .seconds(2), total: .seconds(15))
        #expect(lines(content) == second, "the time alone changes nothing")
        (content.failures, content.failure) = (1, "connection refused")
        #expect(lines(content) == second + ["The checks fail: connection refused"])
        content.failures = 2
        #expect(lines(content).count == second.count + 1, "the same failure is said once")
        (content.failures, content.failure) = (0, nil)
        content.message = "Back at noon."
        let changed = lines(content)
        #expect(changed.suffix(2) == ["vim is paused (demo.local): Back at noon.", "The checks succeed again."])
        var frame = Frame(Self.size)
        view.drawEnd(of: content, in: &frame)
        #expect(Self.lines(of: frame) == changed + ["vim is available again."])
    }

    @Test("A notice is told once, whatever its time says, and again when its rule holds")
    func notice() {
        var content = OverlaySamples.guarded(.running)
        content.message = "Back soon."
        content.notice = OverlaySamples.maintenance
        let text = "Maintenance in 14 min, 14:12–15:42: The disks move. +1."
        let first = lines(content)
        #expect(first.contains(text) && LinearText(content, keys: view.keyMap).lines.contains(text))
        content.notice?.date = OverlaySamples.since.addingTimeInterval(60)
        #expect(lines(content) == first)
        content.notice?.phase = .holding
        #expect(lines(content) == first + ["Maintenance: The disks move. +1."])
        content.notice = nil
        #expect(lines(content).count == first.count + 1)
    }

    @Test("The cursor is after the last line, also where only the last lines have room")
    func cursor() throws {
        let frame = view.frame(OverlaySamples.guarded(.paused), Self.size)
        let text = Self.lines(of: frame)
        #expect(frame.cursor == Point(column: try #require(text.last).count, row: text.count - 1))
        var content = OverlaySamples.guarded(.paused)
        content.presentation.notice = "message copied"
        #expect(lines(content, Size(columns: 80, rows: 2)).last == "message copied")
    }

    @Test("An update says how it can be had, and a later pause begins with an empty screen")
    func update() {
        let first = lines(OverlaySamples.update)
        #expect(first.contains("Get it: https://demo.local/get") && first.contains("Or run: sudo apt install example"))
        #expect(lines(OverlaySamples.paused).first?.hasPrefix("example is paused (demo.local)") == true)
    }

    @Test("Lines that have no room begin an empty screen, so that none is drawn again elsewhere")
    func fullScreen() {
        let size = Size(columns: 80, rows: 4)
        var content = OverlaySamples.guarded(.running)
        content.message = "Back soon."
        #expect(lines(content, size).count == 3)
        (content.failures, content.failure) = (1, "connection refused")
        #expect(lines(content, size).count == 4)
        (content.failures, content.failure) = (0, nil)
        #expect(lines(content, size) == ["The checks succeed again."])
        content.message = "Back at noon."
        #expect(lines(content, size) == ["The checks succeed again.", "vim is paused (demo.local): Back at noon."])
    }

    @Test("The last line of a stop on this machine says that it was released")
    func released() {
        var content = OverlaySamples.guarded(.paused)
        content.localStop = LocalStop(author: "ada", reason: "wrong folder", since: OverlaySamples.since, release: "continue")
        content.stage = .active
        _ = lines(content)
        var frame = Frame(Self.size)
        view.drawEnd(of: content, in: &frame)
        #expect(Self.lines(of: frame).last == "vim is released.")
    }

    // MARK: Questions

    @Test("A question is said in lines, its keys once they count, and the keys of the view after it")
    func question() {
        var conversation = OverlayUnderTest(view, OverlaySamples.guarded(.running))
        conversation.size = Self.size
        let before = conversation.lines
        conversation.press("q")
        let asked = conversation.lines
        #expect(asked == before + ["End vim?", "Unsaved work may be lost."])
        conversation.pass(.seconds(1))
        #expect(conversation.lines == asked + ["Keys: y end vim, any other key goes back"])
        conversation.press("n")
        let after = conversation.lines
        #expect(after.dropLast().last == "vim was not ended" && after.last == before.last)
    }

    @Test("A question that is longer than the screen begins an empty one, and is scrolled")
    func longQuestion() {
        var conversation = OverlayUnderTest(LinearView(keys: OverlayCommand.updateKeys), OverlaySamples.guarded(.running))
        let command = (1...12).map { "echo \($0)" }.joined(separator: "\n")
        (conversation.content.stage, conversation.content.app.updateCommand) = (.updateRequired, command)
        conversation.size = Size(columns: 40, rows: 6)
        _ = conversation.lines
        conversation.press("u")
        #expect(conversation.lines == ["Run this command?"] + (1...5).map { "echo \($0)" })
        conversation.press(.end)
        #expect(conversation.lines == (7...12).map { "echo \($0)" })
        conversation.press(.up)
        #expect(conversation.lines == (6...11).map { "echo \($0)" })
    }
}

extension OverlayUnderTest {
    fileprivate var lines: [String] { LinearViewTests.lines(of: frame) }
}
