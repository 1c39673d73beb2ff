import Bellerophon
import TestSupport
import Testing

/// One network fault, and what must hold with it, whether the app was live or killed before.
struct FaultCase: Sendable, CustomTestStringConvertible {
    /// What goes wrong.
    enum Fault: Sendable {
        /// Nobody listens.
        case refused
        /// The name of the host is unknown.
        case unknownHost
        /// Every connection is reset before a byte of the request is read.
        case resetConnections
        /// The server answers like that.
        case answer(@Sendable (Temptation) -> Behaviour)
        /// The server answers each request by itself.
        case answers(@Sendable (Request, Temptation) -> Behaviour)
    }

    /// What the check must come to.
    enum Outcome: Sendable {
        /// Nothing changes, and this is reported: one of the texts, or what begins like one that ends with a star.
        case error([String])
        /// The document of the temptation is valid, and counts.
        case believed
    }

    /// When the next check must come.
    enum Wait: Sendable {
        /// The first wait of the backoff: one to two seconds.
        case backoff
        /// What `Retry-After` said, in seconds.
        case retryAfter(ClosedRange<Double>)
        /// What the document said, in seconds.
        case server(Double)
    }

    let name: String
    let fault: Fault
    let outcome: Outcome
    let wait: Wait
    /// The time that one exchange may take.
    let deadline: Duration

    var testDescription: String { name }

    /// For the faults that only a deadline ends.
    static let short = Duration.milliseconds(300)
    static let timedOut = "no complete answer within 300 ms"

    init(
        _ name: String, _ fault: Fault, _ outcome: Outcome, wait: Wait? = nil, deadline: Duration = .seconds(30)
    ) {
        self.name = name
        self.fault = fault
        self.outcome = outcome
        if case .believed = outcome { self.wait = wait ?? .server(Temptation.interval) } else { self.wait = wait ?? .backoff }
        self.deadline = deadline
    }

    /// A fault of an answer that is an error: nothing changes.
    static func refuses(
        _ name: String, _ texts: String..., wait: Wait? = nil,
        answer: @escaping @Sendable (Temptation) -> Behaviour
    ) -> FaultCase {
        FaultCase(name, .answer(answer), .error(texts), wait: wait)
    }

    /// A fault that only the deadline ends.
    /// - Parameter bound: how the transport ends it where it gets there first.
    static func neverEnds(
        _ name: String, or bound: String? = nil, answer: @escaping @Sendable (Temptation) -> Behaviour
    ) -> FaultCase {
        FaultCase(name, .answer(answer), .error([timedOut] + (bound.map { [$0] } ?? [])), deadline: short)
    }

    /// An oddity that must not hide a valid status.
    static func believes(
        _ name: String, wait: Wait? = nil, answer: @escaping @Sendable (Temptation) -> Behaviour
    ) -> FaultCase {
        FaultCase(name, .answer(answer), .believed, wait: wait)
    }
}

/// What the app must not be tempted into by a fault: a status that says the opposite of the one that holds.
struct Temptation: Sendable {
    /// The stage of the app before the fault.
    let start: Stage
    let port: UInt16

    static let interval = 7.0
    static let message = "Stop."

    /// The stage that the document would lead to.
    var stage: Stage { start == .killed ? .active : .killed }

    var document: String { document() }

    /// - Parameters:
    ///   - message: the text as it stands in JSON, with its escapes.
    ///   - interval: the number as it stands in JSON.
    ///   - more: further fields, with a comma before them.
    func document(message: String = Temptation.message, interval: String = "7", more: String = "") -> String {
        #"{"apiInactive":\#(stage == .killed),"forceUpdate":false,"retryInterval":\#(interval),"userMessage":"\#(message)"\#(more)}"#
    }

    /// A whole response with these header lines.
    func response(_ lines: String..., status: String = "HTTP/1.1 200 OK", body: String? = nil) -> String {
        ([status] + lines).map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? document)
    }
}
