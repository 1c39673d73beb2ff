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

    @Test func theNextStatusReplacesWhatWasDamaged() throws {
        try store.save(record(.killed("Stop.", every: 15)))
        for url in [store.url, store.copyURL] { try Data("damaged".utf8).write(to: url) }
        #expect(throws: StatusStoreError.damaged(store.url.path)) { try store.load() }
        try store.save(record(.active()))
        #expect(try store.load() == record(.active()))
    }

    @Test("A status with a lower serial does not replace the stored status")
    func lowerSerialReplacesNothing() throws {
        try store.save(record(.killed(), serial: 5))
        try store.save(record(.active(), serial: 4))
        #expect(try store.load() == record(.killed(), serial: 5))
        try store.save(record(.active(), serial: 6))
        #expect(try store.load() == record(.active(), serial: 6))
    }

    @Test("A different status with the same serial does not replace the stored status")
    func sameSerialReplacesNothing() throws {
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
        #expect(try store.load()?.isInactive == true, "one without a date is older than any date")
        var undated = record(.active(), publishedAt: dates[0])
        undated.isUndated = true
        try store.save(undated)
        #expect(try store.load()?.isInactive == false, "unless it has replaced that date")
        try store.save(record(.killed(), publishedAt: dates[0]))
        #expect(try store.load()?.isInactive == false, "which does not come back by itself")
    }

    @Test("Without dates the last saved status is kept")
    func lastUndatedStatusIsKept() throws {
        try store.save(record(.killed()))
        try store.save(record(.active()))
        #expect(try store.load()?.isInactive == false)
    }

    @Test("The store keeps the latest dates known to either of two processes")
    func latestDatesAreMerged() throws {
        let dates = (0...4).map { Date(timeIntervalSince1970: Double($0)) }
        var first = record(.killed(), publishedAt: dates[2])
        (first.previousDate, first.localDate) = (dates[1], dates[4])
        try store.save(first)
        var second = record(.active(), publishedAt: dates[3])
        (second.previousDate, second.localDate) = (dates[0], dates[0])
        try store.save(second)
        #expect(try store.load()?.previousDate == dates[2])
        #expect(try store.load()?.localDate == dates[4])
    }

    @Test("A time that a server has confirmed replaces one that none has, in either order", arguments: [false, true])
    func aConfirmedTimeWins(isFirst: Bool) throws {
        let document = try StatusDocument(
            json: Data(#"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"rules":[]}"#.utf8))
        var fast = record(document)
        (fast.planDate, fast.localDate) = (Date(timeIntervalSince1970: 9000), Date(timeIntervalSince1970: 9000))
        var right = record(document)
        (right.planDate, right.localDate) = (Date(timeIntervalSince1970: 3000), Date(timeIntervalSince1970: 3000))
        right.isPlanDateConfirmed = true
        for record in isFirst ? [right, fast] : [fast, right] { try store.save(record) }
        let kept = try #require(try store.load())
        #expect(kept.planDate == right.planDate)
        #expect(kept.localDate == right.localDate)
        #expect(kept.isPlanDateConfirmed == true)
    }

    // MARK: The copy

    @Test func damageToOneFileLosesNothing() throws {
        try store.save(record(.active()))
        try store.save(record(.killed("Stop."), publishedAt: Date(timeIntervalSince1970: 40)))
        let whole = try Data(contentsOf: store.url)
        for damaged in [Data(), whole.prefix(10), whole + whole, Data("garbage\n".utf8), Data(count: 1_000_000)] {
            for url in [store.url, store.copyURL] {
                try damaged.write(to: url)
                #expect(try store.load()?.message == "Stop.")
                try whole.write(to: url)
            }
        }
        try Data("garbage".utf8).write(to: store.url)
        #expect(
            try store.load()?.remark
                == "the copy of the last known status is used: \(StatusStoreError.damaged(store.url.path).description)")
        try store.save(record(.active(), publishedAt: Date(timeIntervalSince1970: 39)))
        #expect(try store.load()?.message == "Stop.", "an older status replaces the copy as little as the file")
        try store.save(record(.active(), publishedAt: Date(timeIntervalSince1970: 41)))
        #expect(try store.load()?.isInactive == false)
        #expect(try store.load()?.remark == nil)
        #expect(try mode(store.copyURL) == 0o600)
    }

    @Test func aFileThatIsMissingIsReadFromItsCopy() throws {
        try store.save(record(.killed("Stop.")))
        try FileManager.default.removeItem(at: store.url)
        #expect(try store.load()?.message == "Stop.")
        try FileManager.default.removeItem(at: store.copyURL)
        #expect(try store.load() == nil)
    }

    @Test func aConfirmationWritesNoCopy() throws {
        try store.save(record(.killed("Stop.")))
        let copy = try Data(contentsOf: store.copyURL)
        var confirmed = record(.killed("Stop."))
        (confirmed.confirmedAt, confirmed.localDate) = (Date(timeIntervalSince1970: 3000), Date(timeIntervalSince1970: 3000))
        try store.save(confirmed)
        #expect(try store.load() == confirmed)
        #expect(try Data(contentsOf: store.copyURL) == copy)
    }

    @Test("A status that another process just wrote is not written again")
    func recentWriteIsNotRepeated() throws {
        let first = record(.killed("Stop."))
        try store.save(first)
        var second = first
        second.since += 0.5
        second.confirmedAt? += 0.5
        try store.save(second)
        #expect(try store.load() == first)
        second.confirmedAt? += 1
        try store.save(second)
        #expect(try store.load() == second, "a later confirmation is written")
        try FileManager.default.removeItem(at: store.copyURL)
        try store.save(second)
        #expect(FileManager.default.fileExists(atPath: store.copyURL.path), "a missing copy is written")
        try store.save(record(.killed("Wait.")))
        #expect(try store.load()?.message == "Wait.", "another status is written")
    }

    @Test("A status that overruled a later date replaces the record with that date only")
    func overruledDateIsReplaced() throws {
        let late = Date(timeIntervalSince1970: 9_999_999_999)
        try store.save(record(.killed(), publishedAt: late))
        var sane = record(.active(), publishedAt: Date(timeIntervalSince1970: 40))
        try store.save(sane)
        #expect(try store.load()?.isInactive == true)
        sane.overruled = PublicationRank(date: late, isUndated: false)
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
        #expect(names.sorted() == ["status.json", "status.json.copy", "status.json.lock"])
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
        #expect(throws: StatusStoreError.locked(store.url.path), "but it could lose a kill that the other is about to write") {
            try store.save(record(.active()))
        }
        #expect(try store.load() == record(.killed()))
    }
}
