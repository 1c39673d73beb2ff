import Barricade
import Bellerophon
import Foundation
import ProgramKit
import ScenarioKit
import TerminalUI

/// The panel of the picker in which a tester changes who the simulated app is, and what time it is.
struct ClientPanel: Equatable, Sendable {
    /// What the panel shows: the app and the time as they are now.
    struct Subject: Equatable, Sendable {
        var app = AppFacts()
        /// The rules of the present status.
        var rules: [Rule] = []
        /// When a rule changes something next; nil if none does.
        var next: Date?
        /// Why the app is in its stage, as a clause; nil without a status.
        var reason: String?
        var date = Date()
        /// Whether the time goes on by itself, and is not the real one.
        var isDriven = false

        /// The numbers that decide to which shares the installation belongs: one for each text that shares are made of.
        var draws: [Draw] {
            var draws: [Draw] = []
            for rule in rules {
                for case .share(let share) in rule.only {
                    let isIn = share.hundredths == 10_000 || number(of: share.draw).map { $0 < share.hundredths } ?? false
                    let words = "\(rule.id) \(share.text): \(isIn ? "in" : "not in")"
                    if let index = draws.firstIndex(where: { $0.text == share.draw }) {
                        draws[index].shares.append(words)
                    } else {
                        draws.append(Draw(text: share.draw, number: number(of: share.draw), shares: [words]))
                    }
                }
            }
            return draws
        }

        private func number(of draw: String) -> Int? { app.installID.flatMap { Share.number(of: $0, draw: draw) } }
    }

    /// The number of the installation for one text of shares.
    struct Draw: Equatable {
        let text: String
        /// 0 to 9,999 hundredths of a percent; nil without an id.
        let number: Int?
        /// The shares that it decides, in words.
        var shares: [String]
    }

    /// A line.
    enum Row: Equatable {
        case version, osVersion, installID
        case fact(String)
        case newFact
        /// The number for a text of shares.
        case draw(String)
        case time
    }

    private(set) var cursor = 0
    /// The text that is typed for the row under the cursor.
    private(set) var input = TextFilter()
    /// Why what was typed can't be used, until the next key.
    private(set) var problem: String?

    func rows(_ subject: Subject) -> [Row] {
        [.version, .osVersion, .installID] + subject.app.values.keys.sorted().map { .fact($0) } + [.newFact]
            + subject.draws.map { .draw($0.text) } + [.time]
    }

    // MARK: Keys

    enum Command: Equatable, Sendable {
        case down, up, edit, forget, close, nextChange, real
        /// Moves the time by so many seconds.
        case move(Int)
    }

    static let keys = KeyMap<Command>([
        KeyBinding(.up, .character("k"), .backTab, does: .up, hint: "move", help: "previous line"),
        KeyBinding(.down, .character("j"), .tab, does: .down, hint: "move", help: "next line"),
        KeyBinding(.enter, does: .edit, hint: "change", help: "type another value"),
        KeyBinding(.character("d"), .backspace, .delete, does: .forget, hint: "not known", help: "the app does not know it"),
        KeyBinding(.character("+"), does: .move(3600), hint: "1 h later", help: "an hour later"),
        KeyBinding(.character("t"), does: .nextChange, hint: "next change", help: "to the next change that a rule causes"),
        KeyBinding(.character("-"), does: .move(-3600), help: "an hour earlier"),
        KeyBinding(.character("]"), does: .move(60), help: "a minute later"),
        KeyBinding(.character("["), does: .move(-60), help: "a minute earlier"),
        KeyBinding(.character(">"), does: .move(86_400), help: "a day later"),
        KeyBinding(.character("<"), does: .move(-86_400), help: "a day earlier"),
        KeyBinding(.character("0"), does: .real, hint: "real", help: "make the app and the time the real ones again"),
        KeyBinding(.escape, .character("c"), .character("q"), does: .close, hint: "back", help: "back to the scenarios"),
    ])

    /// The hints while a value is typed.
    static let inputHints = [KeyHint(.enter, word: "take"), KeyHint(.escape, word: "leave")]

    /// Handles a key.
    /// - Returns: nil to close the panel.
    mutating func handle(_ key: Key, _ subject: Subject) -> [DashboardEffect]? {
        let rows = rows(subject)
        cursor = min(cursor, rows.count - 1)
        if key == .resize { return [] }
        problem = nil
        if input.isEditing { return edit(key, rows[cursor], subject) }
        switch Self.keys.action(for: key) {
        case .up: cursor = max(0, cursor - 1)
        case .down: cursor = min(rows.count - 1, cursor + 1)
        case .edit: input.edit(value(of: rows[cursor], subject) ?? "")
        case .forget: return change(rows[cursor], to: .unknown)
        case .move(let seconds): return [.barricade(.moveTime(.seconds(seconds)))]
        case .nextChange: return [.shortcut(.nextChange)]
        case .real: return [.barricade(.resetClient)]
        case .close: return nil
        case nil: break
        }
        return []
    }

    /// Moves the cursor to a row; on the cursor, edits it.
    mutating func click(_ row: Int, _ subject: Subject) {
        let rows = rows(subject)
        guard rows.indices.contains(row), !input.isEditing else { return }
        if row == cursor { input.edit(value(of: rows[row], subject) ?? "") } else { cursor = row }
    }

    /// Changes what the app says of itself; no effect if the row is no fact.
    private func change(_ row: Row, to fact: ClientChange.Fact) -> [DashboardEffect] {
        switch row {
        case .version: [.barricade(.client(ClientChange(version: fact)))]
        case .osVersion: [.barricade(.client(ClientChange(osVersion: fact)))]
        case .installID, .draw: [.barricade(.client(ClientChange(installID: fact)))]
        case .fact(let name): [.barricade(.client(ClientChange(facts: [name: fact])))]
        case .newFact, .time: []
        }
    }

    private mutating func edit(_ key: Key, _ row: Row, _ subject: Subject) -> [DashboardEffect] {
        guard key == .enter else {
            _ = input.handle(key)
            return []
        }
        do {
            let outcome = try outcome(of: input.text, for: row)
            input.clear()
            return outcome
        } catch {
            // The text stays, to be corrected.
            problem = error.sentence
            return []
        }
    }

    /// Why a text can't be used.
    private struct Refusal: Error {
        let sentence: String
    }

    private func outcome(of text: String, for row: Row) throws(Refusal) -> [DashboardEffect] {
        let limit = ClientChange.textLimit
        switch row {
        case .version, .osVersion, .installID:
            guard text.utf8.count <= limit else { throw Refusal(sentence: "expected at most \(limit) bytes") }
            return change(row, to: text.isEmpty ? .unknown : .known(text))
        case .fact: return change(row, to: .known(text))
        case .newFact: return try addFact(text)
        case .draw(let draw): return try chooseNumber(text, draw)
        case .time:
            if text.isEmpty { return [] }
            switch TimeStep(text) {
            case .by(let span): return [.barricade(.moveTime(span))]
            case .to(let time): return [.barricade(.setTime(time))]
            case .next: return [.shortcut(.nextChange)]
            case nil: throw Refusal(sentence: "expected \(TimeStep.forms)")
            }
        }
    }

    private func addFact(_ text: String) throws(Refusal) -> [DashboardEffect] {
        if text.isEmpty { return [] }
        guard let split = text.firstIndex(of: "="), split > text.startIndex else {
            throw Refusal(sentence: "expected name=value, such as os=macos")
        }
        let name = String(text[..<split])
        guard name.utf8.count <= ClientChange.nameLimit else {
            throw Refusal(sentence: "expected a name of at most \(ClientChange.nameLimit) bytes")
        }
        return change(.fact(name), to: .known(String(text[text.index(after: split)...])))
    }

    /// An id whose number is what was typed: ids are tried until one has it.
    private func chooseNumber(_ text: String, _ draw: String) throws(Refusal) -> [DashboardEffect] {
        let digits = text.last == "%" ? String(text.dropLast()) : text
        guard let share = Share(digits + "%", draw: draw), share.hundredths < 10_000 else {
            throw Refusal(sentence: "expected a percentage from 0 to 99.99, such as 2.5")
        }
        let id = (0..<200_000).lazy.map { "tester-\($0)" }.first { Share.number(of: $0, draw: draw) == share.hundredths }
        guard let id else { throw Refusal(sentence: "no id was found for that number; try one beside it") }
        return change(.installID, to: .known(id))
    }
}
