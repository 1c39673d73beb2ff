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
        let (english, own) = (LanguageSamples.texts(of: OverlayPhrases.english), LanguageSamples.texts(of: phrases))
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
        #expect(failed(.portuguese, 0) == "0 verificação falhou" && failed(.portuguese, 2) == "2 verificações falharam")
        #expect(OverlayPhrases.polish.moreLines(3) == "wiersze więcej" && OverlayPhrases.polish.moreLines(12) == "wierszy więcej")
        #expect(failed(.japanese, 1) == "確認に 1 回失敗")
    }

    @Test("The words are those of the first language that has them")
    func choice() {
        #expect(OverlayPhrases(LanguagePreference(["de_AT.UTF-8"])) == .german)
        #expect(OverlayPhrases(LanguagePreference(["sv", "fr-CA"])) == .french)
        #expect(OverlayPhrases(LanguagePreference(["sv"])) == .english)
        for name in ["pt_BR.UTF-8", "pt", "pt_PT"] { #expect(OverlayPhrases(LanguagePreference([name])) == .portuguese) }
        #expect(OverlayPhrases(LanguagePreference([])) == .english)
    }

    @Test("The views in every language", arguments: OverlayPhrases.all)
    func goldens(phrases: OverlayPhrases) {
        for sample in LanguageSamples.main(phrases) {
            for size in Self.sizes {
                let overlay = sample.overlay(size)
                expectGolden(overlay.frame, named: "\(sample.name)-\(phrases.tag)")
                // A question is a text of its own.
                guard !overlay.interaction.isAsking else { continue }
                var shown = overlay.content
                shown.presentation = overlay.presentation
                expectLinearText(of: shown, keys: overlay.view.keyMap, hasWordsOf: overlay.frame)
            }
        }
    }

    @Test("A view whose status is ahead of this machine's clock names the clock", arguments: OverlayPhrases.all)
    func slowClock(phrases: OverlayPhrases) {
        var content = LanguageSamples.paused(phrases)
        content.standing.clockLag = .seconds(600)
        let words = phrases.status.clockSlow.with(["time": "10 m 0 s"])
        #expect(LanguageSample(name: "clock", content: content).frame(Size(columns: 80, rows: 24)).text.contains(words))
        #expect(
            LinearText(content, keys: OverlayCommand.standardKeys).lines.contains { $0.lowercased().contains(words.lowercased()) }
        )
        content.standing.clockLag = nil
        #expect(!LanguageSample(name: "clock", content: content).frame(Size(columns: 80, rows: 24)).text.contains(words))
    }

    @Test("A small update view has room for the link and the command", arguments: OverlayPhrases.all)
    func offer(phrases: OverlayPhrases) {
        let sample = LanguageSample(name: "update", content: LanguageSamples.update(phrases))
        let text = sample.frame(Size(columns: 40, rows: 12)).text
        #expect(text.contains("https://demo.local/get") && text.contains("sudo apt-get install notes"), "\(text)")
    }

    @Test("The text in reading order ends its sentences as the language does")
    func fullStops() {
        func program(_ phrases: OverlayPhrases) -> [String] {
            LinearText(LanguageSamples.paused(phrases), keys: OverlayCommand.standardKeys).program
        }
        #expect(program(.german).first == "notes läuft darunter weiter.")
        #expect(program(.japanese).first == "notes は裏で実行中です。")
        for phrases in [OverlayPhrases.japanese, .chinese] {
            let lines = LinearText(LanguageSamples.update(phrases), keys: OverlayCommand.updateKeys).lines
            #expect(!lines.contains { $0.hasSuffix(".") }, "\(lines)")
        }
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1).compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }
}
