import Foundation
import TestSupport
import Testing

@testable import Bellerophon

@Suite("The last known status on the disk")
struct StatusStoreTests {
    private let folder: TestFolder
    private let store: FileStatusStore

    init() throws {
        folder = try TestFolder()
        store = FileStatusStore(url: folder.url.appendingPathComponent("a state/🐴/status.json"))
    }

    private func record(_ document: StatusDocument, serial: Int64? = nil, publishedAt: Date? = nil) -> StatusRecord {
        let proof = serial.map {
            StatusProof(keyID: "key", serial: $0, issuedAt: .distantPast, expiresAt: .distantFuture, signed: Data("a.b.c".utf8))
        }
        var record = StatusRecord(
            document, since: Date(timeIntervalSince1970: 1000), appVersion: "1", confirmedAt: Date(timeIntervalSince1970: 2000),
            publishedAt: publishedAt, proof: proof
        )
        record.serial = serial
        return record
    }

    private func mode(_ url: URL) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    @Test func onlyItsOwnerMayReadIt() throws {
        try store.save(record(.killed("Stop.")))
        #expect(try mode(store.url) == 0o600)
        #expect(try mode(store.url.deletingLastPathComponent()) == 0o700)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: store.url.path)
        #expect(try store.load() == record(.killed("Stop.")))
        #expect(try mode(store.url) == 0o600, "it is made private again")
    }

    @Test func everyDamageIsSeen() throws {
        try store.save(record(.killed("Stop.", every: 15)))
        let whole = try Data(contentsOf: store.url)
        for index in whole.indices {
            var flipped = whole
            flipped[index] ^= 0x10
            try flipped.write(to: store.url)
            #expect(throws: StatusStoreError.damaged(store.url.path), "byte \(index)") { try store.load() }
            try whole[..<index].write(to: store.url)
            #expect(throws: StatusStoreError.damaged(store.url.path), "cut after \(index)") { try store.load() }
        }
        try store.save(record(.active()))
        #expect(try store.load() == record(.active()), "the next status replaces what was damaged")
    }

    @Test func whatTheServerPublishedEarlierReplacesNothing() throws {
        try store.save(record(.killed(), serial: 5))
        try store.save(record(.active(), serial: 4))
        #expect(try store.load() == record(.killed(), serial: 5))
        try store.save(record(.active(), serial: 6))
        #expect(try store.load() == record(.active(), serial: 6))
    }

    @Test func anotherStatusWithTheSameSerialReplacesNothing() throws {
        try store.save(record(.killed(), serial: 5))
        try store.save(record(.active(), serial: 5))
        #expect(try store.load() == record(.killed(), serial: 5))
        var confirmed = record(.killed(), serial: 5)
        confirmed.confirmedAt = Date(timeIntervalSince1970: 3000)
        try store.save(confirmed)
        #expect(try store.load() == confirmed, "the same status, confirmed later, does")
    }

    @Test func theHighestSerialStays() throws {
        try store.save(record(.killed(), serial: 5))
        try store.save(record(.active()))
        #expect(try store.load()?.isInactive == false)
        #expect(try store.load()?.serial == 5, "a status without a signature does not make an old one new")
    }

    @Test func anEarlierDateReplacesNothing() throws {
        let dates = [Date(timeIntervalSince1970: 50), Date(timeIntervalSince1970: 40)]
        try store.save(record(.killed(), publishedAt: dates[0]))
        try store.save(record(.active(), publishedAt: dates[1]))
        #expect(try store.load()?.isInactive == true)
        try store.save(record(.active()))
        #expect(try store.load()?.isInactive == false, "one without a date counts always")
    }

    @Test func aStatusThatCountedInSpiteOfALaterDateReplacesIt() throws {
        let late = Date(timeIntervalSince1970: 9_999_999_999)
        try store.save(record(.killed(), publishedAt: late))
        var sane = record(.active(), publishedAt: Date(timeIntervalSince1970: 40))
        try store.save(sane)
        #expect(try store.load()?.isInactive == true)
        sane.overruledDate = late
        try store.save(sane)
        #expect(try store.load()?.isInactive == false)
        try store.save(record(.killed(), publishedAt: Date(timeIntervalSince1970: 50)))
        try store.save(sane)
        #expect(try store.load()?.isInactive == true, "but no other date than that")
    }

    @Test func aFailedWriteLosesNothing() throws {
        try store.save(record(.killed("Stop.")))
        let file = try folder.write("", to: "a file")
        let below = FileStatusStore(url: URL(fileURLWithPath: file).appendingPathComponent("status.json"))
        #expect(throws: StatusStoreError.self) { try below.save(record(.active())) }
        let names = try FileManager.default.contentsOfDirectory(atPath: store.url.deletingLastPathComponent().path)
        #expect(names.sorted() == ["status.json", "status.json.lock"])
    }

    @Test func aLinkStaysALink() throws {
        let real = URL(fileURLWithPath: try folder.write("", to: "real.json"))
        let link = folder.url.appendingPathComponent("link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
        try FileStatusStore(url: link).save(record(.killed()))
        #expect(try FileStatusStore(url: real).load() == record(.killed()))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == real.path)
    }

    @Test func aLockThatAnotherHoldsKeepsNobodyWaiting() throws {
        try store.save(record(.active()))
        let holder = open(store.url.path + ".lock", O_RDWR)
        try #require(holder >= 0 && flock(holder, LOCK_EX) == 0)
        defer { close(holder) }
        try store.save(record(.killed()))
        #expect(try store.load() == record(.killed()))
    }
}
