import BellerophonBase
import Foundation
import StatusModel
import TestSupport
import Testing

@testable import Bellerophon

/// Which notice is shown when.
@Suite struct NoticeMachineTests {
    /// A program with a clock that the test controls.
    struct Program {
        var machine = NoticeMachine()
        var now = MonotonicInstant()
        var date = PlanTime.date("2026-12-05T12:00:00Z") ?? .distantPast
        var version: String? = "1.4.0"
        var showsOffers = true
        var document: StatusDocument
        private(set) var wait: Duration?

        init(_ rules: String) throws { document = try .rules(rules) }

        /// What is shown now.
        mutating func showing() -> NoticeMachine.Showing? {
            let verdict = document.verdict(for: AppFacts(version: version), at: date)
            let input = NoticeMachine.Input(verdict, of: document, date: date, version: version, showsOffers: showsOffers)
            let decision = machine.decide(input, at: now)
            wait = decision.wait
            return decision.showing
        }

        /// What is shown now, in a word: `info`, `info+1`, `▲info`, `-`.
        mutating func word() -> String {
            guard let showing = showing() else { return "-" }
            let name = (showing.form == .mark ? "▲" : "") + showing.notice.rule.id
            return name + (showing.others > 0 ? "+\(showing.others)" : "")
        }

        /// What a program without a screen tells now.
        mutating func told() -> Set<String> {
            let verdict = document.verdict(for: AppFacts(version: version), at: date)
            let input = NoticeMachine.Input(verdict, of: document, date: date, version: version, showsOffers: showsOffers)
            return Set(machine.announce(input, at: now).map(\.notice.rule.id))
        }

        mutating func pass(_ seconds: Double) {
            now = now.advanced(by: .seconds(seconds))
            date += seconds
        }

        mutating func dismiss() -> Bool { machine.dismiss(date: date, at: now) }

        /// Starts again, with what was kept.
        mutating func restart() {
            let seen = machine.seen
            machine = NoticeMachine()
            machine.restore(seen)
            now = MonotonicInstant()
        }

        /// What is shown from now on, with the seconds since now at which it changes, by the machine's own waits only.
        mutating func history(_ seconds: Double) -> [String] {
            var passed = 0.0
            var lines: [String] = []
            var last = ""
            while passed <= seconds {
                let word = word()
                if word != last { lines.append("\(Int(passed)) \(word)") }
                last = word
                guard let wait = wait?.inSeconds, passed < seconds else { break }
                let step = min(wait, seconds - passed)
                pass(step)
                passed += step
            }
            return lines
        }
    }

    private static let info = #"{"id":"info","effect":"notice","message":"Hello."}"#
    private static let warn = #"{"id":"warn","effect":"notice","level":"warn","message":"Careful."}"#
    private static let offer = #"{"id":"offer","effect":"offer","to":"1.7.0"}"#
    private static let window =
        #"{"id":"mw","effect":"pause","announce":"2026-12-05T11:00:00Z","from":"2026-12-05T12:30:00Z","until":"2026-12-05T13:00:00Z"}"#

    @Test(arguments: [("info", info), ("offer", offer)])
    func shownForFifteenSecondsOnceADay(_ id: String, _ rule: String) throws {
        var program = try Program("[\(rule)]")
        #expect(program.history(200_000) == ["0 \(id)", "15 -", "86400 \(id)", "86415 -", "172800 \(id)", "172815 -"])
    }

    @Test func aRestartShowsNothingASecondTimeThatDay() throws {
        var program = try Program("[\(Self.info)]")
        #expect(program.word() == "info")
        program.pass(3)
        program.restart()
        #expect(program.word() == "-")
        program.pass(86_398)
        #expect(program.word() == "info")
    }

    @Test func aWarningBecomesAMark() throws {
        var program = try Program("[\(Self.warn)]")
        #expect(program.history(100_000) == ["0 warn", "30 ▲warn"])
        program.restart()
        #expect(program.history(100) == ["0 warn", "30 ▲warn"], "each run says it")
    }

    @Test func anAnnouncementIsShownThreeTimes() throws {
        var program = try Program("[\(Self.window)]")
        #expect(program.history(1800) == ["0 mw", "15 -", "900 mw", "915 -", "1500 mw", "1800 -"])
    }

    @Test func aRestartRepeatsNoStepOfAnAnnouncement() throws {
        var program = try Program("[\(Self.window)]")
        #expect(program.word() == "mw")
        program.restart()
        #expect(program.word() == "-")
        program.pass(900)
        #expect(program.word() == "mw")
        program.restart()
        #expect(program.word() == "-")
        program.pass(600)
        #expect(program.word() == "mw")
        program.restart()
        #expect(program.word() == "mw", "it stands in the last five minutes")
    }

    @Test func aProgramThatStartsLateShowsThePresentStep() throws {
        var late = try Program("[\(Self.window)]")
        late.pass(1200)
        #expect(late.history(600) == ["0 mw", "15 -", "300 mw", "600 -"])
        var last = try Program("[\(Self.window)]")
        last.pass(1700)
        #expect(last.history(100) == ["0 mw", "100 -"])
    }

    @Test func theWordsChangeByTheMinuteAndInTheLastMinuteByTheSecond() throws {
        var program = try Program("[\(Self.window)]")
        program.pass(1500)
        let from = try #require(PlanTime.date("2026-12-05T12:30:00Z"))
        func left() -> Double? { program.showing()?.date.map { from.timeIntervalSince($0) } }
        #expect(left() == 300 && program.wait == .seconds(60))
        program.pass(30)
        #expect(left() == 300 && program.wait == .seconds(30))
        program.pass(30)
        #expect(left() == 240)
        program.pass(180)
        #expect(left() == 60 && program.wait == .seconds(1))
        program.pass(0.5)
        #expect(left() == 60 && program.wait == .milliseconds(500))
        program.pass(0.5)
        #expect(left() == 59)
    }

    @Test func oneAtATimeTheMostImportantFirst() throws {
        var program = try Program("[\(Self.info),\(Self.offer),\(Self.warn),\(Self.window)]")
        #expect(program.history(80) == ["0 mw+3", "15 warn+2", "45 info+1", "60 offer", "75 ▲warn"])
    }

    @Test func anInterruptedNoticeGetsTheRestOfItsTime() throws {
        var program = try Program("[\(Self.info)]")
        #expect(program.word() == "info")
        program.pass(10)
        program.document = try .rules("[\(Self.info),\(Self.warn)]")
        #expect(program.history(40) == ["0 warn+1", "30 info", "35 ▲warn"])
    }

    @Test func aNewTextIsShownInPlaceAndForNoLongerTime() throws {
        var program = try Program("[\(Self.info)]")
        #expect(program.showing()?.notice.rule.message == "Hello.")
        program.pass(10)
        program.document = try .rules(#"[{"id":"info","effect":"notice","message":"Bye."}]"#)
        #expect(program.showing()?.notice.rule.message == "Bye.")
        program.pass(5)
        #expect(program.word() == "-")
    }

    @Test func aDismissalStaysAndSilencesNoEscalation() throws {
        var program = try Program("[\(Self.info)]")
        #expect(program.dismiss() == false, "nothing is shown yet")
        #expect(program.word() == "info")
        #expect(program.dismiss() == true)
        #expect(program.history(200_000) == ["0 -"], "also on later days")
        program.restart()
        #expect(program.word() == "-")
        program.document = try .rules(#"[{"id":"info","effect":"notice","level":"warn","message":"Hello."}]"#)
        #expect(program.word() == "info", "a warning is another notice")
        program.pass(40)
        #expect(program.word() == "▲info")
        #expect(program.dismiss() == true)
        #expect(program.word() == "-", "the mark goes too")
    }

    @Test func eachStepOfAnAnnouncementIsDismissedAlone() throws {
        var program = try Program("[\(Self.window)]")
        #expect(program.word() == "mw")
        #expect(program.dismiss() == true)
        #expect(program.history(900) == ["0 -", "900 mw"])
        #expect(program.dismiss() == true)
        #expect(program.history(600) == ["0 -", "600 mw"])
        #expect(program.dismiss() == true)
        #expect(program.word() == "-")
    }

    @Test func aDismissedOfferReturnsWithAnotherVersion() throws {
        var program = try Program("[\(Self.offer)]")
        #expect(program.word() == "offer")
        #expect(program.dismiss() == true)
        program.pass(90_000)
        #expect(program.word() == "-")
        program.document = try .rules(#"[{"id":"offer","effect":"offer","to":"1.8.0"}]"#)
        #expect(program.word() == "offer")
    }

    @Test func aWindowThatIsPutOffIsAnnouncedAgain() throws {
        var program = try Program("[\(Self.window)]")
        #expect(program.history(20) == ["0 mw", "15 -"])
        program.document = try .rules("[\(Self.window.replacingOccurrences(of: "12:30", with: "12:50"))]")
        #expect(program.word() == "mw")
    }

    @Test func theVersionThatIsToBeHadEndsTheNotice() throws {
        let update = #"{"id":"up","effect":"update","to":"1.7","announce":"2026-12-05T11:00:00Z","from":"2026-12-07T00:00:00Z"}"#
        var program = try Program("[\(Self.offer),\(update)]")
        #expect(program.word() == "up+1")
        program.version = "1.7.0"
        #expect(program.word() == "-")
        program.version = "1.8.0"
        #expect(program.word() == "up", "an update may mean an older version")
        program.version = nil
        #expect(program.word() == "up+1")
    }

    @Test func onlyOffersAreSilenced() throws {
        var program = try Program("[\(Self.offer),\(Self.info)]")
        program.showsOffers = false
        #expect(program.history(100) == ["0 info", "15 -"])
    }

    @Test func sleepDoesNotUseUpTheTimeOnTheScreen() throws {
        var program = try Program("[\(Self.window)]")
        #expect(program.word() == "mw")
        program.pass(5)
        program.date += 600
        #expect(program.word() == "mw" && program.wait == .seconds(10))
        program.date += 900
        #expect(program.word() == "mw", "it stands now")
        program.pass(100)
        #expect(program.word() == "mw")
    }

    @Test func aClockThatWasSetBackSilencesForADayAtMost() throws {
        var program = try Program("[\(Self.info)]")
        #expect(program.history(20) == ["0 info", "15 -"])
        program.date -= 3600
        #expect(program.word() == "-")
        program.date -= 86_400
        #expect(program.word() == "info")
        program.pass(15)
        #expect(program.word() == "-")
        #expect(program.wait == .seconds(86_385))
    }

    @Test func nothingIsKeptOfRulesThatAreGone() throws {
        var program = try Program("[\(Self.info),\(Self.window)]")
        _ = program.history(40)
        #expect(Set(program.machine.seen.map(\.key.id)) == ["info", "mw"])
        program.document = try .rules("[\(Self.info)]")
        _ = program.showing()
        #expect(program.machine.seen.map(\.key.id) == ["info"])
        for number in 0..<20 {
            program.document = try .rules(#"[{"id":"info","effect":"offer","to":"2.\#(number)"}]"#)
            program.pass(90_000)
            _ = program.showing()
        }
        #expect(program.machine.seen.count == 8)
    }

    @Test func nothingIsForgottenWhileNoStatusIsKnown() throws {
        var program = try Program("[\(Self.info)]")
        #expect(program.word() == "info")
        let seen = program.machine.seen
        let nothing = NoticeMachine.Input(nil, of: nil, date: program.date, version: nil)
        let decision = program.machine.decide(nothing, at: program.now)
        #expect(decision.showing == nil && decision.wait == nil)
        #expect(program.machine.seen == seen)
    }

    @Test("A program without a screen tells a notice once in a run, and a rule again when it is closer")
    func withoutAScreen() throws {
        var program = try Program("[\(Self.info),\(Self.warn),\(Self.offer),\(Self.window)]")
        #expect(program.told() == ["info", "warn", "offer", "mw"])
        #expect(program.told() == [])
        program.pass(900)
        #expect(program.told() == ["mw"])
        program.pass(600)
        #expect(program.told() == ["mw"])
        #expect(program.told() == [])
        program.restart()
        #expect(program.told() == ["warn", "mw"], "what is told once a day is not told again")
        var silent = try Program("[\(Self.offer)]")
        silent.showsOffers = false
        #expect(silent.told() == [])
    }
}
