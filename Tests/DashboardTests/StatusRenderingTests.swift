import Bellerophon
import Dashboard
import Foundation
import StatusModel
import Testing

@Suite("What a person would see for a document") struct StatusRenderingTests {
    @Test("The text of an active status is in the person's language", arguments: OverlayPhrases.all) @MainActor
    func active(phrases: OverlayPhrases) throws {
        let document = try StatusDocument(json: Data(#"{"apiInactive":false,"forceUpdate":false,"retryInterval":60}"#.utf8))
        let rendering = StatusRendering(
            document: document, app: AppInfo(name: "notes", version: "1.4.0"), languages: LanguagePreference([phrases.tag]),
            date: Date(timeIntervalSince1970: 0), timeZone: .gmt)
        let text = rendering.linearText()
        #expect(text == [phrases.lines.live.with(["name": "notes"])] && text[0].hasPrefix("notes "))
        #expect(phrases == .english || text[0] != "notes is live; no view covers it.")
    }
}
