import Foundation
import StatusModel
import TerminalUI
import TestSupport
import Testing

@testable import Bellerophon

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which languages a person reads, and which text of a status that is.
@Suite("Languages of a person") struct LanguagePreferenceTests {
    private func tags(_ environment: [String: String]) -> [String] { LanguagePreference(environment: environment).tags }

    @Test(
        "The name of a locale becomes a language tag",
        arguments: [
            ("de_AT.UTF-8", "de-AT"), ("de", "de"), ("DE-at", "de-AT"), ("de_DE@euro", "de-DE"), ("sr_RS@latin", "sr-Latn-RS"),
            ("sr_RS.UTF-8@latin", "sr-Latn-RS"), ("zh_TW", "zh-Hant-TW"), ("zh_HK.UTF-8", "zh-Hant-HK"), ("zh_MO", "zh-Hant-MO"),
            ("zh_CN.GB18030", "zh-Hans-CN"), ("zh_SG", "zh-Hans-SG"), ("zh", "zh-Hans"), ("zh-hant-tw", "zh-Hant-TW"),
            ("iw_IL", "he-IL"), ("es_419", "es-419"), ("pt_BR.UTF-8", "pt-BR"),
        ])
    func names(name: String, tag: String) {
        #expect(LanguagePreference([name]).tags == [tag])
    }

    @Test(
        "A text that is no name of a language is left out",
        arguments: ["C", "POSIX", "C.UTF-8", "", "*", "d", "de DE", "1a", "de--AT"])
    func noNames(name: String) {
        #expect(LanguagePreference([name]).tags.isEmpty)
        #expect(LanguagePreference(list: name) == nil)
    }

    @Test("A list has its tags in their order, each once")
    func lists() {
        #expect(LanguagePreference(list: "de-AT, en,de_AT")?.tags == ["de-AT", "en"])
        #expect(LanguagePreference(list: "de,,en") == nil)
    }

    @Test("The first variable of the locale that is not empty counts")
    func locale() {
        #expect(tags(["LC_ALL": "pl_PL.UTF-8", "LC_MESSAGES": "fr_FR", "LANG": "de_DE"]) == ["pl-PL"])
        #expect(tags(["LC_ALL": "", "LC_MESSAGES": "fr_FR", "LANG": "de_DE"]) == ["fr-FR"])
        #expect(tags(["LANG": "de_DE"]) == ["de-DE"])
        #expect(tags(["LC_ALL": "C.UTF-8", "LANG": "de_DE"]) == [])
        #expect(tags([:]) == [])
    }

    @Test("LANGUAGE counts before the locale, except in the locale C")
    func languageVariable() {
        #expect(tags(["LANGUAGE": "fr:de_AT", "LANG": "en_GB.UTF-8"]) == ["fr", "de-AT"])
        #expect(tags(["LANGUAGE": "", "LANG": "en_GB.UTF-8"]) == ["en-GB"])
        for locale in ["C", "POSIX", "C.UTF-8", ""] { #expect(tags(["LANGUAGE": "fr", "LC_ALL": locale]) == []) }
        #expect(tags(["LANGUAGE": "fr"]) == [])
    }

    @Test("A tag is shortened from its end until there is a text, before the next tag counts")
    func lookup() {
        let texts = ["de": "1", "zh-Hant": "2", "EN-gb": "3", "zh": "4"]
        func chosen(_ tags: String...) -> String? { LanguagePreference(tags).choose(from: texts) }
        #expect(chosen("de-AT") == "1")
        #expect(chosen("de-CH-x-private") == "1")
        #expect(chosen("zh_TW") == "2")
        #expect(chosen("zh_CN") == "4")
        #expect(chosen("en_GB") == "3")
        #expect(chosen("en") == nil, "a longer tag is another language")
        #expect(chosen("fr", "de", "zh") == "1")
        #expect(chosen() == nil)
        #expect(LanguagePreference(["zh_TW"]).choose(from: ["zh-TW": "5"]) == "5")
        #expect(LanguagePreference(["he"]).choose(from: ["iw": "6"]) == "6")
        #expect(LanguagePreference(["de-1-x"]).choose(from: ["de-1": "7", "de": "8"]) == "8")
    }

    // MARK: Messages of a status

    private func message(_ languages: String..., document text: String) throws -> String? {
        let document = try StatusDocument(json: Data(text.utf8))
        let app = AppInfo(name: "notes", version: "1.4.0")
        let verdict = document.verdict(for: app.appFacts, at: PlanSample.now)
        return app.statusFacts(document, verdict, languages: LanguagePreference(languages))[.message]
    }

    @Test("The message of a status is that for the person's language, else the default")
    func messages() throws {
        let text = #"""
            {"apiInactive":true,"forceUpdate":false,"retryInterval":60,"userMessage":"Back at noon.",
             "userMessages":{"de":"Mittags zurück.","fr":"De retour à midi."}}
            """#
        #expect(try message("de-AT", document: text) == "Mittags zurück.")
        #expect(try message("pl", "fr", document: text) == "De retour à midi.")
        #expect(try message("pl", document: text) == "Back at noon.")
        #expect(try message(document: text) == "Back at noon.")
    }

    @Test("A rule's own message counts before that of the document, in any language")
    func messagesOfRules() throws {
        let text = #"""
            {"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":"Hello.",
             "userMessages":{"de":"Hallo.","fr":"Salut."},
             "rules":[{"id":"a","effect":"pause","message":"Disks.","messages":{"de":"Platten."}}]}
            """#
        #expect(try message("de", document: text) == "Platten.")
        #expect(try message("fr", document: text) == "Disks.")
        let silent = text.replacing(#""message":"Disks.","#, with: "")
        #expect(try message("fr", document: silent) == "Salut.", "the rule says nothing to this person")
    }

    // MARK: Failures

    @Test("A failed check is told in the person's language, and in English with its details")
    func failures() {
        let reasons: [StatusError.Reason] = [
            .transport(code: URLError.cannotConnectToHost.rawValue, message: "x"), .timedOut(after: .seconds(30)),
            .httpStatus(503),
            .notModifiedWithoutDocument, .notStatusDocument("x"), .untrusted(.unsigned), .tooLarge(limit: 9),
            .redirectRefused("x"),
            .noStatus, .unusableURL("x"), .stream(.ended), .cancelled,
        ]
        for phrases in OverlayPhrases.all {
            let words = reasons.map { phrases.words(for: StatusError($0)) }
            let descriptions = reasons.map { StatusError($0).description }
            #expect(words.allSatisfy { !$0.isEmpty && !$0.contains("{") }, "\(words)")
            if phrases == .english {
                #expect(words == descriptions)
            } else {
                #expect(Set(words).isDisjoint(with: descriptions))
                #expect(words.allSatisfy { CellText.width(of: $0) <= 45 }, "\(words)")
            }
            #expect(words[1].contains("30 s") && words[2].contains("503"), "\(phrases.tag)")
        }
        let system = StatusError(.transport(code: URLError.dataNotAllowed.rawValue, message: "no data plan"))
        #expect(OverlayPhrases.german.words(for: system) == "no data plan", "the system's own words")
    }
}
