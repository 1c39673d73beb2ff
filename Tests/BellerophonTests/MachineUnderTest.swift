import Bellerophon
import Foundation
import TestSupport

/// A stage machine whose time and random numbers the test controls.
struct MachineUnderTest {
    var machine: StageMachine
    var now = MonotonicInstant()
    var generator = FixedFraction(fraction: 0.5)
    /// Every action since the last ``forget()``.
    var actions: [StageMachine.Action] = []
    /// The id of the timer for a check that was started last; -1 before the first.
    var timerID = -1
    var ageTimerID = -1

    init(policy: PollPolicy = PollPolicy(), freshness: FreshnessPolicy = FreshnessPolicy()) {
        machine = StageMachine(policy: policy, freshness: freshness)
    }

    /// An idle machine in a stage, with its next check scheduled and no check in progress.
    init(in stage: Stage, policy: PollPolicy = PollPolicy()) {
        self.init(policy: policy)
        if stage == .unknown {
            send(.checkRequested(.start))
            send(.failed(checkID, StatusError(.noStatus)))
        } else {
            answer(.to(stage))
        }
        forget()
    }

    mutating func send(_ event: StageMachine.Event) {
        let new = machine.handle(event, at: now, using: &generator)
        actions += new
        for case .startTimer(.check, let id, _) in new { timerID = id }
        for case .startTimer(.age, let id, _) in new { ageTimerID = id }
    }

    /// Performs a check that ends with the document.
    mutating func answer(_ document: StatusDocument) {
        send(.checkRequested(.timer))
        send(.replied(checkID, StatusReply(document)))
    }

    /// Performs a check that ends with an error.
    mutating func fail(_ error: StatusError = StatusError(.httpStatus(500))) {
        send(.checkRequested(.timer))
        send(.failed(checkID, error))
    }

    mutating func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
    }

    mutating func forget() {
        actions = []
    }

    /// The id of the check in progress; -1 if none.
    var checkID: Int { machine.pending?.id ?? -1 }

    var transitions: [Transition] {
        actions.compactMap { if case .transition(let transition) = $0 { transition } else { nil } }
    }

    var reports: [StatusReport] {
        actions.compactMap { if case .report(let report) = $0 { report } else { nil } }
    }

    var fetches: Int {
        actions.count { if case .fetch = $0 { true } else { false } }
    }
}

extension [StatusReport] {
    /// The texts of the remarks among the reports.
    var remarks: [String] { compactMap { if case .remark(let text) = $0 { text } else { nil } } }
}

/// A random number generator that always returns the same fraction of a range.
struct FixedFraction: RandomNumberGenerator {
    var fraction: Double

    mutating func next() -> UInt64 {
        fraction < 1 ? UInt64(fraction * 0x1p64) : .max
    }
}

extension StatusDocument {
    static func active(every seconds: Double = 30) -> StatusDocument {
        StatusDocument(isInactive: false, requiresUpdate: false, interval: seconds)
    }

    static func killed(_ message: String? = nil, every seconds: Double = 15) -> StatusDocument {
        StatusDocument(isInactive: true, requiresUpdate: false, interval: seconds, message: message)
    }

    static func update(_ message: String? = nil, every seconds: Double = 60) -> StatusDocument {
        StatusDocument(isInactive: false, requiresUpdate: true, interval: seconds, message: message)
    }

    /// A document for an app that runs, with a list of rules.
    static func rules(_ rules: String, every seconds: Int = 60) throws -> StatusDocument {
        let json = #"{"apiInactive":false,"forceUpdate":false,"retryInterval":\#(seconds),"rules":\#(rules)}"#
        return try StatusDocument(json: Data(json.utf8))
    }

    /// The simplest document that leads to a stage.
    static func to(_ stage: Stage) -> StatusDocument {
        switch stage {
        case .killed: .killed()
        case .updateRequired: .update()
        case .active, .unknown: .active()
        }
    }
}
