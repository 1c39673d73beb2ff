import Foundation
import TestSupport
import Testing

@testable import Bellerophon

@Suite("The optional fields of a status")
struct StatusFactsTests {
    private let document = StatusDocument(isInactive: true, requiresUpdate: true, interval: 5, facts: .samples)

    @Test("Every field is read from a document", arguments: StatusField.allCases)
    func everyFieldIsRead(field: StatusField) throws {
        var members: [String: Any] = ["apiInactive": true, "forceUpdate": true, "retryInterval": 5]
        members[field.documentName] = field.sample
        let document = try StatusDocument(json: JSONSerialization.data(withJSONObject: members))
        #expect(document.facts == StatusFacts([field: field.sample]) && document.remarks.isEmpty)
    }

    @Test("A field that is no text is left out and reported, and the kill stays", arguments: StatusField.allCases)
    func aBadFieldLosesNoKill(field: StatusField) throws {
        let members: [String: Any] = ["apiInactive": true, "forceUpdate": false, "retryInterval": 5, field.documentName: 1]
        let document = try StatusDocument(json: JSONSerialization.data(withJSONObject: members))
        #expect(document.stage == .killed && document.facts.all.isEmpty)
        #expect(document.remarks == ["\"\(field.documentName)\" must be text, found a number; it was ignored"])
    }

    @Test("Every field survives a restart") func everyFieldIsKept() throws {
        let record = StatusRecord(document, since: .distantPast, appVersion: "1.4.0")
        let read = try JSONDecoder().decode(StatusRecord.self, from: JSONEncoder().encode(record))
        #expect(read == record && read.document(for: "1.4.0") == document)
        #expect(read.document(for: "1.5.2").facts == document.facts)
    }

    @Test("The format of the file stays") func theFormatOfTheFileStays() throws {
        let json = """
            {"isInactive":true,"requiresUpdate":false,"interval":15,"since":0,
             "facts":{"message":"Stop.","requiredVersion":"2","link":"https://a.example/"}}
            """
        let record = try JSONDecoder().decode(StatusRecord.self, from: Data(json.utf8))
        #expect(record.message == "Stop." && record.facts[.requiredVersion] == "2" && record.facts[.link] == "https://a.example/")
        let again = try JSONSerialization.jsonObject(with: JSONEncoder().encode(record)) as? NSDictionary
        #expect(try again == JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary)
    }

    @Test("The overlay gets every field; the app's own link stands in for a missing one") func theOverlayGetsEveryField() {
        let app = AppInfo(name: "notes", link: "https://notes.example/")
        #expect(app.statusFacts(document) == .samples)
        #expect(app.statusFacts(nil) == StatusFacts([.link: "https://notes.example/"]))
    }
}
