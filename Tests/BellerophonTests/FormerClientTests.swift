import BellerophonBase
import Foundation
import StatusModel
import TestSupport
import Testing

@testable import Bellerophon

/// A client of version 0.1 reads a document with rules, and takes its flags.
@Suite("A client that does not know rules")
struct FormerClientTests {
    /// The reader of version 0.1, as it was released, without its texts for errors.
    struct FormerDocument: Equatable {
        struct Invalid: Error {}

        let isInactive: Bool
        let requiresUpdate: Bool
        let interval: Double
        let message: String?

        init(json data: Data) throws {
            let options: JSONReader.Options = [.acceptsHugeNumbers, .acceptsRepeatedNames]
            let body = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
            let node: JSONNode
            if let read = try? JSONReader.read(body, options) {
                node = read
            } else {
                node = try JSONReader.read(JSONText.repaired(body), options)
            }
            guard let fields = node.members else { throw Invalid() }
            let repeated = node.repeatedNames
            func flag(_ name: String) throws -> Bool {
                guard !repeated.contains(name), case .bool(let flag)? = fields[name]?.value else { throw Invalid() }
                return flag
            }
            isInactive = try flag("apiInactive")
            requiresUpdate = try flag("forceUpdate")
            guard !repeated.contains("retryInterval"), case .number(let seconds, _)? = fields["retryInterval"]?.value else {
                throw Invalid()
            }
            interval = seconds
            if !repeated.contains("userMessage"), case .string(let text)? = fields["userMessage"]?.value {
                message = text
            } else {
                message = nil
            }
        }

        /// What it did with the document: `forceUpdate` before `apiInactive`, whatever the version.
        var stage: Stage { requiresUpdate ? .updateRequired : isInactive ? .killed : .active }
    }

    private static let contract = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Contract/vectors").standardized

    /// The documents of all vectors with rules.
    private func documents() throws -> [Data] {
        var documents: [Data] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.contract.path) where file.hasPrefix("rules") {
            let root = try JSONReader.read(try Data(contentsOf: Self.contract.appending(path: file)))
            guard case .array(let cases)? = root.members?["cases"]?.value else { continue }
            for node in cases {
                if let document = node.members?["json"] { documents.append(document.data) }
                if case .string(let text)? = node.members?["document"]?.value { documents.append(Data(text.utf8)) }
            }
        }
        return documents
    }

    @Test func itReadsEveryDocumentWithRules() throws {
        let documents = try documents()
        #expect(documents.count > 400)
        for data in documents {
            guard let document = try? StatusDocument(json: data) else {
                #expect(throws: (any Error).self) { try FormerDocument(json: data) }
                continue
            }
            let former = try FormerDocument(json: data)
            #expect(former.isInactive == document.isInactive && former.requiresUpdate == document.requiresUpdate)
            #expect(former.interval == document.interval)
        }
    }

    @Test func aPauseForEverybodyReachesItThroughTheFlag() throws {
        let data = Data(
            #"""
            {"apiInactive":true,"forceUpdate":false,"retryInterval":60,"userMessage":"Maintenance.","mirrors":["mw"],
             "rules":[{"id":"mw","effect":"pause","until":"2026-12-05T23:30:00Z"}]}
            """#.utf8)
        let former = try FormerDocument(json: data)
        #expect(former.stage == .killed)
        #expect(former.message == "Maintenance.")
        let document = try StatusDocument(json: data)
        let verdict = document.verdict(for: AppFacts(), at: PlanTime.date("2026-12-05T22:30:00Z"))
        #expect(verdict.restrictions.map(\.by) == ["mw"], "a client that knows rules takes the rule and its end")
        #expect(document.verdict(for: AppFacts(), at: PlanTime.date("2026-12-05T23:30:00Z")).stage == .active)
    }

    @Test("A program that does not understand the rule of a kept status keeps the cover", arguments: [true, false])
    func keptCoverOfALaterMember(covers: Bool) throws {
        let document = try StatusDocument(json: Data(PlanMachineTests.status(PlanMachineTests.pause).utf8))
        let rule = try #require(document.plan?.entries.first?.rule), date = try #require(PlanTime.date("2026-12-05T21:00:00Z"))
        // A later program has understood the member and has been covered.
        let later = PlanMachineTests.status(PlanMachineTests.pause.replacing(#""effect""#, with: #""conceal":true,"effect""#))
        var record = StatusRecord(try StatusDocument(json: Data(later.utf8)), since: .now, appVersion: "1.4.0")
        record.note(cover: covers ? rule : nil)
        let kept = try JSONDecoder().decode(StatusRecord.self, from: try JSONEncoder().encode(record))
        let restored = try kept.kept(for: "1.4.0", reader: StatusReader(), at: date)
        #expect(restored.document.plan?.undecided.map(\.label) == [rule.id])
        let verdict = restored.document.verdict(for: AppFacts(version: "1.4.0"), at: date)
        #expect(verdict.restrictions.first?.by == (covers ? rule.id : nil))
    }

    @Test func aFormerClientReadsWhatIsKept() throws {
        let document = try StatusDocument(json: Data(PlanMachineTests.status(PlanMachineTests.pause).utf8))
        let record = StatusRecord(document, since: .now, appVersion: "1.4.0")
        let data = try FileStatusStore.data(of: record)
        let kept = try JSONReader.read(data.prefix { $0 != UInt8(ascii: "\n") }).members
        for name in ["isInactive", "requiresUpdate", "interval", "since"] { #expect(kept?[name] != nil, "\(name)") }
        let old = try StatusDocument(json: Data(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":60}"#.utf8))
        let plain = try JSONReader.read(
            try FileStatusStore.data(of: StatusRecord(old, since: .now, appVersion: nil)).prefix { $0 != UInt8(ascii: "\n") }
        ).members
        for name in ["plan", "planDate", "heldRule", "heldPlan", "coverRule", "coverPlan"] {
            #expect(plain?[name] == nil, "\(name)")
        }
    }
}
