import Foundation
import TestSupport
import Testing

@testable import Bellerophon
@testable import ProgramUpdates

/// What is asked, said and done about a required update, without a process and without waiting.
@Suite("Update machine") struct UpdateMachineTests {
    typealias Findings = UpdateFindings

    // MARK: What can be had

    @Test("A version that is enough is offered with the command of its source")
    func ready() {
        var test = UpdateUnderTest()
        #expect(test.require("1.5.2") == [.cancelTimer, .ask, .changed])
        #expect(test.report?.state == .asking)
        test.find(["1.5.2", "1.4.0"], installed: "1.4.0")
        #expect(test.report?.state == .ready("1.5.2"))
        #expect(test.command == "apt-get install notes")
    }

    @Test("The highest version that the status accepts is offered, not the highest one")
    func theStatusSelectsAmongCandidates() {
        var test = UpdateUnderTest()
        test.require(
            rules:
                #"{"id":"bad","effect":"update","only":{"versions":[{"below":"1.5.2"},{"from":"1.6.0","below":"1.6.4"}]},"to":"1.6.4"}"#
        )
        test.find(["1.6.3", "1.5.3", "1.4.0"], installed: "1.4.0")
        #expect(test.report?.state == .ready("1.5.3"))
        #expect(test.command == "apt-get install --allow-downgrades notes=1.5.3-1")
    }

    @Test("An older version is offered if the status requires to go back")
    func goBack() {
        var test = UpdateUnderTest(version: "2.0.0")
        test.require(rules: #"{"id":"new","effect":"update","only":{"versions":[{"from":"2.0.0"}]},"to":"1.9.3"}"#)
        test.find(["2.0.0", "1.9.3"], installed: "2.0.0")
        #expect(test.report?.state == .ready("1.9.3"))
        guard case .run(let command)? = test.report?.action else { return #expect(Bool(false)) }
        #expect(command.goesBack && command.version == "1.9.3")
    }

    @Test("A version that is not there yet is said, with the command that looks for it")
    func notYet() {
        var test = UpdateUnderTest()
        test.require("1.5.2")
        test.find(["1.4.9", "1.4.0"], installed: "1.4.0")
        #expect(test.report?.state == .notYet(best: "1.4.9"))
        #expect(test.command == "apt-get update")
        test.find([], installed: "1.4.0", again: true)
        #expect(test.report?.state == .notYet(best: nil))
    }

    @Test("A source that can't be asked is said, and its command can be run")
    func unclear() {
        var test = UpdateUnderTest()
        test.require("1.5.2")
        test.send(.found(.with(.failed("could not be asked: no network"), installed: "1.4.0"), runs: true))
        #expect(test.report?.state == .unclear("could not be asked: no network"))
        #expect(test.command == "apt-get install notes")
    }

    @Test("A package of an index is offered only after the index has shown that it has the installed version")
    func packageOfAnIndex() {
        for source in ["pip", "pipx"] {
            var test = UpdateUnderTest(source: source)
            test.require("1.5.2")
            #expect(test.report != nil && test.command == nil)
            test.send(.found(.with(.failed("could not be asked: no network"), installed: "1.4.0"), runs: true))
            #expect(test.command == nil)
            test.send(.askedAgain)
            test.send(.found(.with(.elsewhere("does not have notes 1.4.0"), installed: "1.4.0"), runs: true))
            #expect(test.report?.state == .unclear("does not have notes 1.4.0"))
            #expect(test.report?.action == nil)
            test.send(.askedAgain)
            test.send(.found(.with(.versions([.init(version: "1.5.2", name: "1.5.2")]), installed: "1.4.0"), runs: true))
            #expect(test.command?.hasSuffix(" notes") == true)
        }
    }

    @Test("A status without a version is met by every higher version, and by no other")
    func anyOtherVersion() {
        var test = UpdateUnderTest()
        test.require(nil)
        test.find(["1.4.0", "1.3.0"], installed: "1.4.0")
        #expect(test.report?.state == .notYet(best: "1.4.0"))
        test.find(["1.4.1", "1.4.0"], installed: "1.4.0", again: true)
        #expect(test.report?.state == .ready("1.4.1"))
    }

    @Test("Another program of the machine is only said to be elsewhere")
    func onlyNamed() {
        var test = UpdateUnderTest(source: "homebrew")
        test.require("1.5.2")
        test.send(.found(.with(.notAsked), runs: true))
        #expect(test.report?.state == .unclear(nil))
        #expect(test.report?.action == nil && test.report?.source == "Homebrew")
    }

    // MARK: When it is asked

    @Test("The source is asked again after a quarter of an hour, sooner after a failure, and at a person's request")
    func waits() {
        var test = UpdateUnderTest()
        test.require("1.5.2")
        #expect(test.find(["1.4.0"], installed: "1.4.0").contains(.schedule(after: .seconds(900))))
        #expect(test.send(.askedAgain).contains(.ask))
        #expect(test.send(.askedAgain).isEmpty, "it is being asked")
        let failed = Findings.with(.failed("could not be asked"))
        #expect(test.send(.found(failed, runs: true)).contains(.schedule(after: .seconds(60))))
        #expect(test.send(.askedAgain).contains(.ask))
        #expect(test.send(.found(failed, runs: true)).contains(.schedule(after: .seconds(120))))
        for _ in 0..<20 {
            _ = test.send(.askedAgain)
            _ = test.send(.found(failed, runs: true))
        }
        _ = test.send(.askedAgain)
        #expect(test.send(.found(failed, runs: true)).contains(.schedule(after: .seconds(900))))
    }

    @Test("Nothing is asked and said while no update is required")
    func nothingIsRequired() {
        var test = UpdateUnderTest()
        #expect(test.send(.askedAgain).isEmpty && test.report == nil)
        test.require("1.5.2")
        test.find(["1.5.2"], installed: "1.4.0")
        #expect(test.send(.required(nil)) == [.cancelTimer, .changed])
        #expect(test.report == nil)
    }

    @Test("A reply that was asked for before the command does not count")
    func anOldReplyDoesNotCount() {
        var test = UpdateUnderTest.offered()
        _ = test.send(.askedAgain)
        test.run(installed: "1.5.2")
        #expect(test.report?.state == .installed("1.5.2"))
        #expect(test.find(["1.5.2"], installed: "1.4.0") == [.cancelTimer, .ask], "it was asked before")
        #expect(test.report?.state == .installed("1.5.2"))
    }

    // MARK: The proof

    @Test("After the command the installed version is said, and the program can be started again")
    func moved() {
        var test = UpdateUnderTest.offered()
        let actions = test.run(installed: "1.5.2")
        #expect(!actions.contains(.restart(version: "1.5.2")), "the person is asked")
        #expect(test.report?.state == .installed("1.5.2"))
        #expect(test.report?.action == .restart(version: "1.5.2"))
    }

    @Test("A program that has agreed goes on with the new version at once")
    func goesOn() {
        var test = UpdateUnderTest.offered(for: .program(goesOn: true))
        #expect(test.run(installed: "1.5.2").contains(.restart(version: "1.5.2")))
    }

    @Test("A command that ends well and moves nothing is said to have moved nothing, and nothing is started again")
    func unmoved() {
        var test = UpdateUnderTest.offered(for: .program(goesOn: true))
        let actions = test.run(installed: "1.4.0")
        #expect(!actions.contains { if case .restart = $0 { true } else { false } })
        #expect(test.report?.state == .unmoved(UpdateUnderTest.attempt, found: "1.4.0"))
        #expect(test.command == "apt-get install notes")
        #expect(actions.contains(.ask), "it is asked again after a fruitless update")
        test.find(["1.5.2"], installed: "1.4.0")
        #expect(test.report?.state == .unmoved(UpdateUnderTest.attempt, found: "1.4.0"))
    }

    @Test("An update to a version that is not enough is no success")
    func notEnough() {
        var test = UpdateUnderTest.offered(for: .program(goesOn: true))
        test.run(installed: "1.5.0")
        #expect(test.report?.state == .unmoved(UpdateUnderTest.attempt, found: "1.5.0"))
    }

    @Test("A failed command is said with its last lines, and can be tried again")
    func failed() {
        var test = UpdateUnderTest.offered()
        #expect(test.run(succeeds: false, installed: "1.4.0").contains(.ask))
        #expect(test.report?.state == .failed(UpdateUnderTest.attempt))
        #expect(test.command == "apt-get install notes")
    }

    @Test("A failed command that has installed the version nevertheless is no failure")
    func failedAndMoved() {
        var test = UpdateUnderTest.offered()
        test.run(succeeds: false, installed: "1.5.2")
        #expect(test.report?.state == .installed("1.5.2"))
    }

    @Test("Without a way to know the version, only a start of the program shows what the command has done")
    func unproved() {
        var test = UpdateUnderTest(target: .program(goesOn: true))
        test.require("1.5.2")
        test.send(.found(.with(.notAsked), runs: true))
        #expect(!test.run(installed: nil).contains { if case .restart = $0 { true } else { false } })
        #expect(test.report?.state == .unproved(UpdateUnderTest.attempt, nil))
        #expect(test.report?.action == .restart(version: nil))
    }

    @Test("After the list of versions was made new, the source is asked")
    func refresh() {
        var test = UpdateUnderTest()
        test.require("1.5.2")
        test.find(["1.4.9"], installed: "1.4.0")
        #expect(test.run(.init("apt-get update", purpose: .refresh), installed: "1.4.0").contains(.ask))
        #expect(test.report?.state == .notYet(best: "1.4.9"))
        test.find(["1.5.2", "1.4.9"], installed: "1.4.0")
        #expect(test.report?.state == .ready("1.5.2"))
    }

    @Test("A version that another session has installed counts without the command")
    func updatedElsewhere() {
        var test = UpdateUnderTest.offered(for: .program(goesOn: true))
        let actions = test.send(.updatedElsewhere(.with(.notAsked, installed: "1.5.2")))
        #expect(actions.contains(.restart(version: "1.5.2")))
        #expect(test.report?.state == .installed("1.5.2"))
    }

    @Test("A newer version that a person has installed in another terminal is noticed")
    func installedMeanwhile() {
        var test = UpdateUnderTest()
        test.require("1.5.2")
        test.find(["1.5.2"], installed: "1.5.2")
        #expect(test.report?.state == .installed("1.5.2"))
        #expect(test.report?.action == .restart(version: "1.5.2"))
    }

    // MARK: The version that runs

    @Test("A program that does not know its version has the installed one, if its file is the one that was started")
    func unknownVersion() {
        var test = UpdateUnderTest(version: nil)
        test.require("1.5.2")
        let found = Findings.with(.versions([.init(version: "1.5.2", name: "1.5.2-1")]), installed: "1.5.2")
        #expect(!test.send(.found(found, runs: false)).contains(.know(version: "1.5.2")))
        #expect(test.report?.state == .installed("1.5.2"))
        _ = test.send(.askedAgain)
        #expect(test.send(.found(found, runs: true)).contains(.know(version: "1.5.2")))
    }

    @Test("A watched app has its new version as soon as it is installed")
    func watched() {
        var test = UpdateUnderTest.offered(for: .watched)
        #expect(test.run(installed: "1.5.2").contains(.know(version: "1.5.2")))
    }

    // MARK: Going on without it

    @Test("An app may let a person go on without an update, until a date or until it can be had")
    func deferral() {
        let end = Date(timeIntervalSince1970: 2_000_000_000)
        var test = UpdateUnderTest(whenUnavailable: .goOn(until: end))
        test.require("1.5.2", on: end - 60)
        #expect(test.report?.action == nil || test.command != nil, "it is not known yet")
        test.find(["1.4.9"], installed: "1.4.0")
        #expect(test.report?.state == .notYet(best: "1.4.9") && test.report?.action == .goOn(until: end))
        #expect(test.send(.wentOn) == [.deferUpdate(.goOn(until: end))])
        _ = test.send(.askedAgain)
        let failed = test.send(.found(.with(.failed("could not be asked")), runs: true))
        #expect(!failed.contains(.deferUpdate(.cover)), "a person who was told is not disturbed")
        _ = test.send(.askedAgain)
        #expect(test.find(["1.5.2"], installed: "1.4.0").contains(.deferUpdate(.cover)), "it can be had")
    }

    @Test("After the date, and while it is not known what can be had, nobody goes on")
    func noDeferralLater() {
        let end = Date(timeIntervalSince1970: 2_000_000_000)
        var test = UpdateUnderTest(whenUnavailable: .goOn(until: end))
        test.require("1.5.2", on: end)
        test.find(["1.4.9"], installed: "1.4.0")
        #expect(test.report?.action != .goOn(until: end) && test.send(.wentOn).isEmpty)
        var unknown = UpdateUnderTest(whenUnavailable: .goOn(until: end))
        unknown.require("1.5.2", on: end - 60)
        _ = unknown.send(.found(.with(.failed("could not be asked")), runs: true))
        #expect(unknown.send(.wentOn).isEmpty)
    }

    @Test("When the date comes, the offer to go on goes, and the source is asked again")
    func theAllowanceEnds() {
        let end = Date(timeIntervalSince1970: 2_000_000_000)
        var test = UpdateUnderTest(whenUnavailable: .goOn(until: end))
        test.require("1.5.2", on: end - 60)
        #expect(test.find(["1.4.9"], installed: "1.4.0").contains(.schedule(after: .seconds(60))))
        #expect(test.send(.askedAgain, after: .seconds(59)).contains(.changed) == false)
        #expect(test.report?.action == .goOn(until: end))
        test.find(["1.4.9"], installed: "1.4.0")
        #expect(test.send(.askedAgain, after: .seconds(60)) == [.cancelTimer, .ask, .changed])
        #expect(test.report?.action != .goOn(until: end) && test.send(.wentOn, after: .seconds(61)).isEmpty)
    }

    // MARK: What stands in the way

    @Test("A version that the source can't install is not offered, and the packages that move with one are in its command")
    func trials() {
        func found(_ trials: UpdateCandidate.Trial...) -> UpdateMachine.Event {
            let versions = zip(["1.6.0", "1.5.2"], trials).map { version, trial in
                var candidate = UpdateCandidate(version: version, name: "\(version)-1")
                candidate.trial = trial
                return candidate
            }
            return .found(.with(.versions(versions), installed: "1.4.0"), runs: true)
        }
        var test = UpdateUnderTest()
        test.require(
            rules: #"{"id":"new","effect":"update","only":{"versions":[{"below":"1.5.2"},{"from":"1.6.0"}]},"to":"1.5.2"}"#)
        test.send(found(.due, .obstacle("can't install 1.5.2-1: it would remove notes-extra")))
        #expect(test.report?.state == .unclear("can't install 1.5.2-1: it would remove notes-extra"))
        #expect(test.report?.action == nil)
        test.send(.askedAgain)
        test.send(found(.due, .fine(with: ["notes-bin=1.5.2-1"])))
        #expect(test.command == "apt-get install --allow-downgrades notes=1.5.2-1 notes-bin=1.5.2-1")
        // Another version is required now, which was not tried.
        #expect(test.require("1.6.0") == [.cancelTimer, .ask, .changed])
        #expect(test.report?.state == .asking && test.report?.action == nil)
        #expect(test.send(found(.due, .fine(with: []))) == [.cancelTimer, .ask])
        test.send(found(.fine(with: ["notes-extra=1.6.0-1"]), .due))
        #expect(test.command == "apt-get install notes notes-extra=1.6.0-1")
    }

    @Test("An app without an allowance stays covered")
    func noDeferral() {
        var test = UpdateUnderTest()
        test.require("1.5.2")
        #expect(!test.find(["1.4.9"], installed: "1.4.0").contains { if case .deferUpdate = $0 { true } else { false } })
    }
}

/// A machine for a program of apt.
struct UpdateUnderTest {
    private(set) var machine: UpdateMachine
    private let app: AppFacts

    static let attempt = UpdateReport.Attempt(command: "apt-get install notes", end: "ended", lines: ["last line"])

    init(
        version: String? = "1.4.0", source: String = "apt", target: UpdateMachine.Target = .program(goesOn: false),
        whenUnavailable: UpdateOptions.WhenUnavailable = .cover
    ) {
        app = AppFacts(version: version)
        var options = UpdateOptions()
        options.whenUnavailable = whenUnavailable
        let installation = Installation(
            source: source, package: ["apt", "pip", "pipx"].contains(source) ? "notes" : nil, path: "/usr/bin/notes",
            file: "/usr/bin/notes")
        machine = UpdateMachine(UpdateSource(installation, options, privilege: .root), target: target)
    }

    /// A program at version 1.4.0 whose source has the version that is required.
    static func offered(for target: UpdateMachine.Target = .program(goesOn: false)) -> UpdateUnderTest {
        var test = UpdateUnderTest(target: target)
        test.require("1.5.2")
        test.find(["1.5.2"], installed: "1.4.0")
        return test
    }

    var report: UpdateReport? { machine.report }
    /// What the key runs.
    var command: String? { if case .run(let command)? = report?.action { command.text } else { nil } }

    @discardableResult
    mutating func send(_ event: UpdateMachine.Event, after age: Duration = .zero) -> [UpdateMachine.Action] {
        machine.handle(event, after: age)
    }

    /// The status has `forceUpdate`.
    @discardableResult
    mutating func require(_ version: String?, on date: Date? = nil) -> [UpdateMachine.Action] {
        let required = version.map { #","requiredVersion":"\#($0)""# } ?? ""
        return require(document: #"{"apiInactive":false,"forceUpdate":true,"retryInterval":60\#(required)}"#, on: date)
    }

    @discardableResult
    mutating func require(rules: String) -> [UpdateMachine.Action] {
        require(document: #"{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"rules":[\#(rules)]}"#, on: nil)
    }

    private mutating func require(document: String, on date: Date?) -> [UpdateMachine.Action] {
        guard let requirement = UpdateRequirement(json: Data(document.utf8), app, at: date) else {
            Issue.record("the status requires no update")
            return []
        }
        return send(.required(requirement))
    }

    @discardableResult
    mutating func find(_ versions: [String], installed: String?, again: Bool = false) -> [UpdateMachine.Action] {
        if again { send(.askedAgain) }
        let candidates = versions.map { UpdateCandidate(version: $0, name: "\($0)-1") }
        return send(.found(.with(candidates.isEmpty ? .nothing : .versions(candidates), installed: installed), runs: true))
    }

    @discardableResult
    mutating func run(
        _ command: UpdateCommand? = nil, succeeds: Bool = true, installed: String?
    ) -> [UpdateMachine.Action] {
        var offered: UpdateCommand? { if case .run(let command)? = report?.action { command } else { nil } }
        let command = command ?? offered ?? UpdateCommand("")
        return send(
            .ran(
                .init(
                    command: command, hasSucceeded: succeeds, attempt: Self.attempt,
                    findings: .with(.notAsked, installed: installed))))
    }
}

extension UpdateRequirement {
    /// What a document requires of an app at a time; nil if it requires no update.
    init?(json: Data, _ app: AppFacts, at date: Date?) {
        guard let document = try? StatusDocument(json: json),
            let update = document.verdict(for: app, at: date).requiredUpdate
        else { return nil }
        self.init(update, of: document, app: app, at: date)
    }
}
