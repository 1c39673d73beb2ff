import Bellerophon
import Foundation
import StatusModel
import TerminalUI
import TestSupport
import Testing

@testable import BellerophonViews

/// The words of the views in every language.
@Suite("Languages of the views") @MainActor struct LanguagesTests {
    nonisolated private static let sizes = [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)]

    @Test("Every phrase stands for the same values as the English one", arguments: OverlayPhrases.all)
    func parts(phrases: OverlayPhrases) {
        let (english, own) = (Self.texts(of: OverlayPhrases.english), Self.texts(of: phrases))
        #expect(english.count > 150)
        // A language may have a shorter headline or not.
        #expect(Set(english.keys).symmetricDifference(own.keys).allSatisfy { $0.hasSuffix("shortHeadline") })
        for (path, texts) in own {
            let wanted = Set((english[path] ?? []).flatMap(Self.parts))
            #expect(Set(texts.flatMap(Self.parts)) == wanted, "\(phrases.tag): \(path)")
            let mayBeEmpty = path.hasSuffix("broken.still") || path.hasSuffix("broken.since")
            #expect(texts.allSatisfy { mayBeEmpty || !$0.isEmpty }, "\(phrases.tag): \(path)")
        }
    }

    @Test("Values with braces stay as they are")
    func values() {
        #expect("{a} and {b}{c}".with(["a": "{b}", "b": "{"]) == "{b} and {{c}")
    }

    @Test("A number has the plural category of its language")
    func plurals() {
        func failed(_ phrases: OverlayPhrases, _ number: Int) -> String { phrases.count(number, phrases.status.failed) }
        #expect(failed(.english, 1) == "1 check failed" && failed(.english, 2) == "2 checks failed")
        #expect(failed(.french, 0) == "0 vérification échouée" && failed(.french, 2) == "2 vérifications échouées")
        #expect(failed(.japanese, 1) == "確認に 1 回失敗")
    }

    @Test("The words are those of the first language that has them")
    func choice() {
        #expect(OverlayPhrases(LanguagePreference(["de_AT.UTF-8"])) == .german)
        #expect(OverlayPhrases(LanguagePreference(["sv", "fr-CA"])) == .french)
        #expect(OverlayPhrases(LanguagePreference(["sv"])) == .english)
        #expect(OverlayPhrases(LanguagePreference([])) == .english)
    }

    @Test("Nothing is cut or wrapped inside a word in any language", arguments: OverlayPhrases.all)
    func goldens(phrases: OverlayPhrases) {
        for (name, content, key) in Self.views(phrases) {
            let view: any OverlayView = content.stage == .killed ? KillSwitchView() : ForceUpdateView()
            var overlay = OverlayUnderTest(view, content)
            if let key { overlay.press(key) }
            overlay.pass(.seconds(1))
            for size in Self.sizes {
                overlay.size = size
                expectGolden(overlay.frame, named: "\(name)-\(phrases.tag)")
                // A question is a text of its own.
                guard !overlay.interaction.isAsking else { continue }
                var shown = content
                shown.presentation = overlay.presentation
                expectLinearText(of: shown, keys: view.keyMap, hasWordsOf: overlay.frame)
            }
        }
        for (state, update) in [(phrases.states.paused, false), (phrases.states.closed, false), (phrases.states.update, true)] {
            var content = Self.paused(phrases)
            content.facts = StatusFacts()
            if update { content.stage = .updateRequired }
            if state == phrases.states.closed { content.standing.basis = .policy }
            var overlay = OverlayUnderTest(update ? ForceUpdateView() : KillSwitchView(), content)
            overlay.size = Size(columns: 40, rows: 12)
            let text = overlay.frame.text
            let words = state.own.split(separator: " ").filter { CellText.width(of: String($0)) < 36 }
            for word in words { #expect(text.contains(word), "\(phrases.tag): \(word)") }
        }
    }

    private static func paused(_ phrases: OverlayPhrases) -> OverlayContent {
        var content = OverlayContent(
            stage: .killed, app: AppInfo(name: "notes", version: "1.4.0"), source: "demo.local/status", host: "demo.local",
            message: "12:00 → 13:00", countdown: .init(remaining: .seconds(9), total: .seconds(15)),
            since: PlanSample.now, timeZone: TimeZone(secondsFromGMT: 0) ?? .current)
        content.phrases = phrases
        return content
    }

    /// Views by name, each with the key that is pressed.
    private static func views(_ phrases: OverlayPhrases) -> [(String, OverlayContent, Key?)] {
        let paused = paused(phrases)
        var failing = paused
        failing.message = nil
        (failing.failures, failing.failure) = (3, "connection refused")
        var update = paused
        update.stage = .updateRequired
        (update.requiredVersion, update.link) = ("1.5.2", "https://demo.local/get")
        update.app.updateCommand = "sudo apt-get install notes"
        return [
            ("paused", paused, nil), ("failing", failing, nil), ("update", update, nil), ("help", update, .character("?")),
            ("end", paused, .character("q")),
        ]
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1).compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }

    /// The texts of a value by their place in it.
    private static func texts(of value: Any, at path: String = "") -> [String: [String]] {
        if let text = value as? String { return path == ".tag" ? [:] : [path: [text]] }
        if let list = value as? [String] { return [path: list] }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return [:] }
        if mirror.displayStyle == .collection {
            return [path: mirror.children.flatMap { texts(of: $0.value).values.flatMap(\.self) }]
        }
        return mirror.children.reduce(into: [:]) { all, child in
            all.merge(texts(of: child.value, at: "\(path).\(child.label ?? "")")) { first, _ in first }
        }
    }
}
