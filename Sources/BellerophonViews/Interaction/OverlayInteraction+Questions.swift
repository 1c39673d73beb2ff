import Bellerophon
import TerminalUI

// What asks before it is done.
extension OverlayInteraction {
    mutating func openLink(_ link: String?, _ key: Key, on screen: Screen) -> [OverlayEffect] {
        guard let link, LinkRun.isSafe(link) else { return notify(phrases.answers.noLink, at: screen.now) }
        return ask(.open(link, phrases, asking: key, at: screen.now), about: link, phrases.answers.address, on: screen)
    }

    /// Asks before a command is run, or before the program is started again.
    mutating func update(_ key: Key, on screen: Screen) -> [OverlayEffect] {
        guard let content = screen.content else { return notify(phrases.answers.noCommand, at: screen.now) }
        switch content.updateAction {
        case .run(let command)?:
            return ask(
                .run(command, content, asking: key, at: screen.now), about: command.text, phrases.answers.command, on: screen)
        case .restart(let version)?:
            guard content.program != .notStarted else { return [.restart(version: version)] }
            return show(.restart(version, content, asking: key, at: screen.now), at: screen.now)
        case .goOn?: return [.goOnWithoutUpdate]
        case nil:
            let source = content.update?.source.map { phrases.answers.noCommandFor.with(["source": $0]) }
            return notify(source ?? phrases.answers.noCommand, at: screen.now)
        }
    }

    /// Asks before the program ends, unless it has not started: then nothing can be lost.
    mutating func askToQuit(_ key: Key, on screen: Screen) -> [OverlayEffect] {
        // Nothing can be lost: it has not started, or has ended already.
        guard let content = screen.content, content.program != .notStarted, content.update?.isBroken != true else {
            return [.quit]
        }
        return show(.end(content, asking: key, at: screen.now), at: screen.now)
    }

    /// Asks before something that must be read first.
    private mutating func ask(
        _ question: OverlayQuestion, about text: String, _ name: String, on screen: Screen
    ) -> [OverlayEffect] {
        guard text.utf8.count <= OverlayQuestion.textLimit else {
            return notify(phrases.answers.tooLong.with(["name": name]), at: screen.now)
        }
        guard QuestionBox.hasRoom(screen.size) else {
            return notify(phrases.answers.noRoom.with(["name": name]), at: screen.now)
        }
        return show(question, at: screen.now)
    }

    private mutating func show(_ new: OverlayQuestion, at now: MonotonicInstant) -> [OverlayEffect] {
        question = new
        _ = endNotice()
        return [.redraw] + awaitChange(at: now)
    }

    @MainActor
    mutating func answer(_ key: Key, on screen: Screen) -> [OverlayEffect] {
        guard let open = question else { return [] }
        if key == open.confirming { return confirm(open, on: screen) }
        if key == open.asking { return awaitQuestion(at: screen.now) }
        if key == .control("c"), open.effect != .quit { return askToQuit(key, on: screen) }
        if let lines = Self.scrolledLines(key, screen.size), let effects = scrollQuestion(by: lines, on: screen) {
            return effects
        }
        return withdraw() + notify(open.withdrawal, at: screen.now)
    }

    private mutating func confirm(_ open: OverlayQuestion, on screen: Screen) -> [OverlayEffect] {
        guard open.hold.isOver(at: screen.now) else { return awaitQuestion(at: screen.now) }
        let withdrawn = withdraw()
        guard !open.needsRoom || QuestionBox.hasRoom(screen.size) else {
            return withdrawn + notify(phrases.answers.noRoomSo.with(["withdrawal": open.withdrawal]), at: screen.now)
        }
        return withdrawn + [open.effect]
    }

    mutating func withdraw() -> [OverlayEffect] {
        guard question != nil else { return [] }
        question = nil
        return [.redraw]
    }

    /// A key has come that does not answer: the confirming key counts later than its footer says.
    private mutating func awaitQuestion(at now: MonotonicInstant) -> [OverlayEffect] {
        question?.hold.keyCame(at: now)
        let wasReady = question?.isReady ?? false
        question?.isReady = false
        return (wasReady ? [.redraw] : []) + awaitChange(at: now)
    }

    /// The lines by which a key scrolls a question's text; nil for other keys.
    private static func scrolledLines(_ key: Key, _ size: Size) -> Int? {
        switch key {
        case .up: -1
        case .down: 1
        case .pageUp: -max(1, size.rows / 2)
        case .pageDown: max(1, size.rows / 2)
        case .home: -Int.max
        case .end: .max
        default: nil
        }
    }

    /// - Returns: nil if all of the text is visible.
    @MainActor
    mutating func scrollQuestion(by lines: Int, on screen: Screen) -> [OverlayEffect]? {
        guard let open = question else { return nil }
        let linear = screen.view as? LinearView
        let limit = linear?.scrollLimit(of: open, size: screen.size) ?? QuestionBox(question: open).scrollLimit(screen.size)
        guard limit > 0 else { return nil }
        question?.scroll = Self.scrolled(min(open.scroll, limit), by: lines, limit: limit)
        return [.redraw]
    }
}
