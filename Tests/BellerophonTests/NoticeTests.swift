import Foundation
import TestSupport
import Testing

@testable import Bellerophon

/// Which notice a manager gives its window, and what it keeps of it.
@MainActor
@Suite struct NoticeTests {
    private let clock = ManualClock()
    private let store = MemoryStore()

    private func manager(
        _ rules: String, window: RecordingWindow, offers: Bool = true
    ) throws -> BellerophonManager {
        var config = BellerophonConfig(
            window: window, killSwitchView: NamedView("kill"), forceUpdateView: NamedView("update"),
            source: ClosureSource.fixed(try .rules(rules, every: 3600)) { [clock] in clock.date })
        config.languages = LanguagePreference([])
        config.store = store
        config.showsOffers = offers
        config.app = AppInfo(name: "notes", version: "1.4.0")
        let manager = BellerophonManager(config: config, clock: clock, generator: Halfway())
        manager.checkAppStatus()
        return manager
    }

    private static let info = #"[{"id":"info","effect":"notice","message":"Hello."}]"#

    @Test func aNoticeComesAndGoesAndIsKept() throws {
        let window = RecordingWindow()
        let first = try manager(Self.info, window: window)
        #expect(window.notice?.message == "Hello." && !first.isDisplaying)
        #expect(store.load()?.seenNotices?.map(\.key.id) == ["info"])
        clock.advance(by: .seconds(14))
        #expect(window.notice != nil)
        clock.advance(by: .seconds(1))
        #expect(window.history == ["notice line info", "notice -"])
        let other = RecordingWindow()
        let second = try manager(Self.info, window: other)
        #expect(second.stage == .active && other.history == [])
    }

    @Test func theProgramMayDismissIt() throws {
        let window = RecordingWindow()
        let manager = try manager(#"[{"id":"ro","effect":"notice","level":"warn"}]"#, window: window)
        clock.advance(by: .seconds(30))
        #expect(window.notice?.form == .mark)
        manager.dismissNotice()
        #expect(window.history == ["notice line ro", "notice mark ro", "notice -"])
        #expect(store.load()?.seenNotices?.map(\.isDismissed) == [true])
        manager.dismissNotice()
        #expect(window.history.count == 3)
    }

    @Test func underAViewTheNoticeIsPartOfIt() throws {
        let window = RecordingWindow()
        let from = (clock.date + 200).formatted(.iso8601)
        let until = (clock.date + 500).formatted(.iso8601)
        let announce = (clock.date - 500).formatted(.iso8601)
        let pause = #"{"id":"mw","effect":"pause","announce":"\#(announce)","from":"\#(from)","until":"\#(until)"}"#
        let manager = try manager(#"[\#(pause),{"id":"ro","effect":"notice","level":"warn"}]"#, window: window)
        #expect(window.notice?.rule.id == "mw" && window.notice?.others == 1)
        clock.advance(by: .seconds(201))
        #expect(manager.stage == .killed)
        #expect(window.notice == nil && window.content?.notice?.rule.id == "ro")
        clock.advance(by: .seconds(300))
        #expect(manager.stage == .active)
        #expect(window.history.suffix(4) == ["notice -", "present kill", "dismiss", "notice mark ro"])
    }

    @Test func offersCanBeSilenced() throws {
        let window = RecordingWindow()
        let manager = try manager(#"[{"id":"new","effect":"offer","to":"1.7"}]"#, window: window, offers: false)
        #expect(manager.stage == .active && window.history == [])
        #expect(!OfferPreference.isAllowed(in: ["NO_UPDATE_NOTIFIER": "1"]))
        #expect(OfferPreference.isAllowed(in: [:]) && OfferPreference.isAllowed(in: ["NO_UPDATE_NOTIFIER": ""]))
    }

    // MARK: The record

    private func record(_ seen: [SeenNotice]?) throws -> StatusRecord {
        var record = StatusRecord(try .rules(Self.info, every: 3600), since: clock.date, appVersion: "1")
        record.seenNotices = seen
        return record
    }

    @Test func seenNoticesOfTwoProgramsAreMerged() throws {
        let folder = try TestFolder()
        let file = FileStatusStore(url: folder.url.appendingPathComponent("status.json"))
        let told = SeenNotice(key: .init(id: "info", step: .told), date: clock.date)
        let warned = SeenNotice(key: .init(id: "info", step: .warned), date: clock.date, isDismissed: true)
        let gone = SeenNotice(key: .init(id: "gone", step: .told), date: clock.date)
        try file.save(record([told, gone]))
        #expect(try file.load()?.seenNotices == [told, gone])
        try file.save(record([warned]))
        #expect(try file.load()?.seenNotices == [told, warned])
        try file.save(record(nil))
        #expect(try file.load()?.seenNotices == [told, warned])
    }

    @Test func filesOfOtherVersionsAreRead() throws {
        let record = try record([SeenNotice(key: .init(id: "info", step: .told), date: clock.date)])
        let data = try JSONEncoder().encode(record)
        #expect(try JSONDecoder().decode(StatusRecord.self, from: data) == record)
        let later = try #require(String(data: data, encoding: .utf8)).replacingOccurrences(of: "told", with: "whispered")
        let read = try JSONDecoder().decode(StatusRecord.self, from: Data(later.utf8))
        #expect(read.seenNotices == nil && read.message == record.message && read.plan == record.plan)
        #expect(try !String(decoding: JSONEncoder().encode(self.record(nil)), as: UTF8.self).contains("seenNotices"))
    }
}
