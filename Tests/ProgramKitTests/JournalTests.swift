import Bellerophon
import Foundation
import TestSupport
import Testing

@testable import ProgramKit

/// The journal that a session writes.
@Suite struct JournalTests {
    static let start = Date(timeIntervalSince1970: 1_769_868_131.25)
    static let session = SessionLogRecord.Session(
        app: AppInfo(name: "example", version: "1.4.0"), source: "demo.local/status", isSimulated: false
    )

    /// A time this many seconds after the start, on both clocks.
    private func at(_ seconds: Double) -> (MonotonicInstant, Date) {
        (MonotonicInstant(offset: .seconds(seconds)), Self.start.addingTimeInterval(seconds))
    }

    private func change(
        _ journal: inout SessionLog, _ from: Stage, _ to: Stage, _ seconds: Double, message: String? = nil,
        cause: Transition.Cause = .status(httpStatus: 200), paint: Duration? = .microseconds(1400)
    ) -> SessionLogRecord {
        let (now, date) = at(seconds)
        let transition = Transition(from: from, to: to, cause: cause, lasted: nil)
        return journal.add(transition, message: message, arrival: .init(paintLatency: paint), at: now, paintedAt: now, date: date)
    }

    @Test func aSessionReadsLineByLine() {
        var journal = SessionLog(Self.session, at: at(0).0, date: at(0).1)
        _ = change(&journal, .unknown, .active, 0.5, message: "not shown")
        _ = change(&journal, .active, .killed, 63.7, message: "Back at \"noon\".\nBe well.")
        _ = journal.add(message: "Back at one.", at: at(70).0, date: at(70).1)
        _ = change(&journal, .killed, .updateRequired, 73.7)
        _ = journal.add(.end("quit"), at: at(80).0, date: at(80).1)
        #expect(
            journal.records.map(\.json) == [
                #"{"time":"2026-01-31T14:02:11.250Z","event":"start","app":"example","version":"1.4.0","source":"demo.local/status","simulated":false,"sees":{"view":"dashboard"}}"#,
                #"{"time":"2026-01-31T14:02:11.750Z","event":"transition","from":"unknown","to":"active","cause":"status","httpStatus":200,"lastedSeconds":0.5,"saw":{"view":"dashboard","seconds":0.5},"sees":{"view":"dashboard"},"paintMilliseconds":1.4}"#,
                #"{"time":"2026-01-31T14:03:14.950Z","event":"transition","from":"active","to":"killed","cause":"status","httpStatus":200,"lastedSeconds":63.2,"saw":{"view":"dashboard","seconds":63.2},"sees":{"view":"kill view","message":"Back at \"noon\".\nBe well."},"paintMilliseconds":1.4}"#,
                #"{"time":"2026-01-31T14:03:21.250Z","event":"message","stage":"killed","lastedSeconds":6.3,"saw":{"view":"kill view","message":"Back at \"noon\".\nBe well.","seconds":6.3},"sees":{"view":"kill view","message":"Back at one."}}"#,
                #"{"time":"2026-01-31T14:03:24.950Z","event":"transition","from":"killed","to":"updateRequired","cause":"status","httpStatus":200,"lastedSeconds":10,"saw":{"view":"kill view","message":"Back at one.","seconds":3.7},"sees":{"view":"update view","message":null},"paintMilliseconds":1.4}"#,
                #"{"time":"2026-01-31T14:03:31.250Z","event":"end","how":"quit","stage":"updateRequired","lastedSeconds":6.3,"saw":{"view":"update view","message":null,"seconds":6.3}}"#,
            ])
    }

    @Test("A change by a rule has the rule and why it covers the app")
    func aRuleSaysWhy() throws {
        var journal = SessionLog(Self.session, at: at(0).0, date: at(0).1)
        let transition = Transition(from: .active, to: .updateRequired, cause: .rule("min-15"), lasted: nil)
        let why = SessionLogRecord.Why(try PlanSample.plan(PlanSample.text))
        let record = journal.add(transition, message: "1.4 loses data.", why: why, at: at(1).0, paintedAt: nil, date: at(1).1)
        #expect(
            record.json
                == #"{"time":"2026-01-31T14:02:12.250Z","event":"transition","from":"active","to":"updateRequired","cause":"rule","rule":"min-15","by":"min-15","because":[{"fact":"version","is":"1.4.0","rule":"below 1.5.2"}],"lastedSeconds":1,"painted":false}"#
        )
        let text = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":1}"#
        #expect(SessionLogRecord.Why(try PlanSample.plan(text)) == nil, "a flag alone says nothing new")
        #expect(SessionLogRecord.Why(try PlanSample.plan(PlanSample.text, version: "1.6.0")) == nil, "nothing covers the app")
    }

    @Test func aStageThatWasNeverPaintedWasNotSeen() {
        var journal = SessionLog(Self.session, at: at(0).0, date: at(0).1)
        let unseen = Transition(from: .active, to: .killed, cause: .status(httpStatus: nil), lasted: nil)
        let record = journal.add(
            unseen, message: "Stop.", arrival: .init(transport: .stream), at: at(10).0, paintedAt: nil, date: at(10).1
        )
        #expect(
            record.json
                == #"{"time":"2026-01-31T14:02:21.250Z","event":"transition","from":"active","to":"killed","cause":"status","httpStatus":null,"transport":"stream","lastedSeconds":10,"painted":false}"#
        )
        let back = change(&journal, .killed, .active, 11)
        #expect(back.lasted == .seconds(1))
        #expect(back.saw == SessionLogRecord.Sight(view: .dashboard) && back.sawFor == .seconds(11))
    }

    @Test("A change without a reply is recorded with its cause and without a latency")
    func causeWithoutReplyIsRecorded() {
        var journal = SessionLog(Self.session, at: at(0).0, date: at(0).1)
        let restored = change(&journal, .unknown, .killed, 0.001, cause: .restored, paint: nil).json
        #expect(restored.contains(#""cause":"restored","lastedSeconds":0.001,"#))
        #expect(!restored.contains("paintMilliseconds") && !restored.contains("httpStatus"))
        #expect(change(&journal, .killed, .unknown, 1, cause: .dismissed, paint: nil).json.contains(#""cause":"dismissed""#))
        #expect(
            change(&journal, .unknown, .active, 2, cause: .status(httpStatus: nil), paint: nil).json.contains(
                #""httpStatus":null"#))
    }

    @Test("A pushed change is recorded with its transport and latency")
    func pushedChangeHasLatency() {
        var journal = SessionLog(Self.session, at: at(0).0, date: at(0).1)
        let transition = Transition(from: .active, to: .killed, cause: .status(httpStatus: nil), lasted: nil)
        let arrival = SessionLogRecord.Arrival(
            transport: .stream, paintLatency: .microseconds(1400), publishLatency: .microseconds(12_300)
        )
        let json = journal.add(transition, message: nil, arrival: arrival, at: at(1).0, paintedAt: at(1).0, date: at(1).1).json
        #expect(json.contains(#""cause":"status","httpStatus":null,"transport":"stream","lastedSeconds":1,"#))
        #expect(json.hasSuffix(#""paintMilliseconds":1.4,"publishToPaintMilliseconds":12.3}"#))
    }

    @Test("A journal line contains no terminal control characters")
    func journalIsTerminalSafe() throws {
        var journal = SessionLog(Self.session, at: at(0).0, date: at(0).1)
        let message = "a\tb\u{2028}c\u{1B}[31m\u{7F}\\ \u{1F40E}"
        let json = change(&journal, .active, .killed, 1, message: message).json
        #expect(json.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x2028 })
        let read = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        // The parsed text contains nothing that a terminal interprets.
        #expect((read["sees"] as? [String: Any])?["message"] as? String == "a    b\nc␛[31m␡\\ \u{1F40E}")
    }

    @Test func monthsOfChangesKeepTheStartAndTheNewest() {
        var journal = SessionLog(Self.session, at: at(0).0, date: at(0).1)
        for second in 1...6000 { _ = change(&journal, .active, .killed, Double(second), message: "\(second)") }
        #expect(journal.records.count == SessionLog.recordLimit)
        #expect(journal.records.first?.event == .start(Self.session))
        #expect(journal.records.last?.sees?.message == "6000")
    }

    @Test func theTimeIsRoundedToTheMillisecond() {
        #expect(SessionLogRecord.time(Date(timeIntervalSince1970: 0.0004)) == "1970-01-01T00:00:00.000Z")
        #expect(SessionLogRecord.time(Date(timeIntervalSince1970: 0.9996)) == "1970-01-01T00:00:01.000Z")
        #expect(SessionLogRecord.time(Date(timeIntervalSince1970: 1_769_868_131.123)) == "2026-01-31T14:02:11.123Z")
    }
}

/// The files of journals.
@Suite struct JournalFileTests {
    private let folder: TestFolder
    private let record = SessionLogRecord(date: JournalTests.start, event: .end("quit"), stage: .active)

    init() throws {
        folder = try TestFolder()
    }

    private func permissions(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func theFileIsItsOwnersAndSessionsAreAppended() throws {
        let path = folder.path("journal.jsonl")
        for _ in 1...2 { try SessionLogFile(path).append(record) }
        #expect(try permissions(path) == 0o600)
        #expect(folder.text("journal.jsonl") == "\(record.json)\n\(record.json)")
    }

    @Test("A partial line left by an earlier program stays on its own line")
    func partialLineStaysSeparate() throws {
        let path = try folder.write(#"{"time":"20"#, to: "journal.jsonl")
        let file = try SessionLogFile(path)
        try file.append(record)
        try file.append(record)
        #expect(folder.text("journal.jsonl") == "{\"time\":\"20\n\(record.json)\n\(record.json)")
    }

    @Test(
        "A journal that cannot be written causes an error with the reason",
        arguments: ["", "/nowhere/journal.jsonl", "/dev/null", "/tmp"])
    func unwritableFileSaysWhy(path: String) {
        let error = #expect(throws: OutputFileError.self) { try SessionLogFile(path) }
        #expect(error?.problem.isEmpty == false)
    }

    @Test func anExportNeverOverwrites() throws {
        let paths = try (1...3).map {
            try ExportedFile.write("\($0)\n", .journal, to: [folder.url.path], date: JournalTests.start)
        }
        let stem = folder.path("bellerophon-journal-20260131T140211Z")
        #expect(paths == ["\(stem).jsonl", "\(stem)-2.jsonl", "\(stem)-3.jsonl"])
        #expect(try paths.map { try String(contentsOfFile: $0, encoding: .utf8) } == ["1\n", "2\n", "3\n"])
        #expect(try permissions(paths[0]) == 0o600)
    }

    @Test("An export uses the next folder when the first one cannot be written")
    func exportUsesNextFolder() throws {
        let path = try ExportedFile.write(
            "x\n", .journal, to: ["/proc/1/nowhere", folder.path("state")], date: JournalTests.start)
        #expect(path.hasPrefix(folder.path("state/bellerophon-journal-")))
        #expect(throws: OutputFileError.self) {
            try ExportedFile.write("x\n", .journal, to: ["/proc/1/nowhere"], date: JournalTests.start)
        }
    }
}

/// The records of painted stages and of reports.
@MainActor
@Suite struct JournalKeeperTests {
    private let folder: TestFolder
    private let clock = ManualClock()
    private let keeper: SessionLogKeeper
    private var machine = StageMachine()
    private var generator = Halfway()

    init() throws {
        folder = try TestFolder()
        keeper = try SessionLogKeeper(JournalTests.session, file: SessionLogFile(folder.path("j")), clock: clock)
    }

    private mutating func push(_ isKill: Bool, message: String? = nil) {
        let document = StatusDocument(isInactive: isKill, requiresUpdate: false, interval: 15, message: message)
        let metadata = ExchangeMetadata(lastByteAt: .now, isPushed: true, publishedAt: clock.date)
        for case .report(let report) in machine.handle(
            .pushed(StatusReply(document, metadata: metadata)), at: clock.now, using: &generator)
        {
            keeper.take(report, machine: machine)
        }
    }

    private var lines: [String] { (folder.text("j") ?? "").split(separator: "\n").map(String.init) }

    @Test("Of several changes only the painted one has a paint latency, and the others count as unseen")
    mutating func unseenChangesAreMarked() {
        push(true, message: "1")
        push(false)
        push(true, message: "2")
        clock.advance(by: .milliseconds(16))
        #expect(lines.count == 2)
        // A `Date` cannot represent 16 ms exactly.
        #expect(keeper.painted(at: .now)?.publishLatency.map { abs($0 / .milliseconds(1) - 16) < 0.001 } == true)
        #expect(keeper.painted(at: .now) == nil, "a later paint shows nothing new")
        #expect(lines.map { $0.contains(#""painted":false"#) } == [true, true, false])
        #expect(lines.map { $0.contains(#""paintMilliseconds":"#) } == [false, false, true])
        #expect(lines[2].contains(#""sees":{"view":"kill view","message":"2"}"#))
    }

    @Test("Only the last of several messages before a paint is recorded as seen")
    mutating func lastMessageIsTheSeenOne() {
        push(true, message: "1")
        push(true, message: "2")
        _ = keeper.painted(at: .now)
        push(true, message: "3")
        push(true, message: "4")
        #expect(keeper.painted(at: .now) == nil)
        #expect(lines.count == 2)
        #expect(lines[0].contains(#""sees":{"view":"kill view","message":"2"}"#))
        #expect(lines[1].contains(#""event":"message""#) && lines[1].contains(#""message":"4"}"#))
    }

    @Test mutating func aProgramThatEndsBeforeThePaintSaysSo() {
        push(true)
        keeper.end("SIGTERM")
        #expect(lines.count == 2 && lines[0].contains(#""painted":false"#) && lines[1].contains(#""stage":"killed""#))
    }
}
