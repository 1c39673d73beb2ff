import Bellerophon
import TestSupport
import Testing

/// One network fault and its expected outcome, for an app that was active or killed before.
struct FaultCase: Sendable, CustomTestStringConvertible {
    /// The kind of fault.
    enum Fault: Sendable {
        /// No process listens on the port.
        case refused
        /// The host name does not resolve.
        case unknownHost
        /// Every connection is reset before a byte of the request is read.
        case resetConnections
        /// The server replies with this behaviour.
        case answer(@Sendable (Temptation) -> Behaviour)
        /// The server selects the behaviour by request.
        case answers(@Sendable (Request, Temptation) -> Behaviour)
    }

    /// The expected outcome of the check.
    enum Outcome: Sendable {
        /// The stage is unchanged, and one of these texts is reported. A text that ends with a star matches as a
        /// prefix.
        case error([String])
        /// The document of the temptation is valid and takes effect.
        case believed
    }

    /// The expected wait before the next check.
    enum Wait: Sendable {
        /// The first wait of the backoff: one to two seconds.
        case backoff
        /// The value of `Retry-After`, in seconds.
        case retryAfter(ClosedRange<Double>)
        /// The interval of the document, in seconds.
        case server(Double)
    }

    let name: String
    let fault: Fault
    let outcome: Outcome
    let wait: Wait
    /// The deadline of one exchange. Unless the fault is that nothing ends, it is far longer than any machine needs.
    let deadline: Duration

    var testDescription: String { name }

    /// For faults that only a deadline ends.
    static let short = Duration.milliseconds(300)
    static let timedOut = "no complete reply within 300 ms"

    init(
        _ name: String, _ fault: Fault, _ outcome: Outcome, wait: Wait? = nil, deadline: Duration = .seconds(600)
    ) {
        self.name = name
        self.fault = fault
        self.outcome = outcome
        if case .believed = outcome { self.wait = wait ?? .server(Temptation.interval) } else { self.wait = wait ?? .backoff }
        self.deadline = deadline
    }

    /// An invalid reply: the stage is unchanged.
    static func refuses(
        _ name: String, _ texts: String..., wait: Wait? = nil,
        answer: @escaping @Sendable (Temptation) -> Behaviour
    ) -> FaultCase {
        FaultCase(name, .answer(answer), .error(texts), wait: wait)
    }

    /// A fault that only the deadline ends.
    /// - Parameter bound: the error if the transport ends the exchange first.
    static func neverEnds(
        _ name: String, or bound: String? = nil, answer: @escaping @Sendable (Temptation) -> Behaviour
    ) -> FaultCase {
        FaultCase(name, .answer(answer), .error([timedOut] + (bound.map { [$0] } ?? [])), deadline: short)
    }

    /// An irregularity that must not prevent a valid status from taking effect.
    static func believes(
        _ name: String, wait: Wait? = nil, answer: @escaping @Sendable (Temptation) -> Behaviour
    ) -> FaultCase {
        FaultCase(name, .answer(answer), .believed, wait: wait)
    }
}

/// A status that contradicts the current one. A fault must not make the app accept it.
struct Temptation: Sendable {
    /// The app's stage before the fault.
    let start: Stage
    let port: UInt16

    static let interval = 7.0
    static let message = "Stop."

    /// The stage of the document.
    var stage: Stage { start == .killed ? .active : .killed }

    var document: String { document() }

    /// - Parameters:
    ///   - message: the message in JSON, with its escapes.
    ///   - interval: the number in JSON.
    ///   - more: further fields, each after a comma.
    func document(message: String = Temptation.message, interval: String = "7", more: String = "") -> String {
        #"{"apiInactive":\#(stage == .killed),"forceUpdate":false,"retryInterval":\#(interval),"userMessage":"\#(message)"\#(more)}"#
    }

    /// A complete response with these header lines.
    func response(_ lines: String..., status: String = "HTTP/1.1 200 OK", body: String? = nil) -> String {
        ([status] + lines).map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? document)
    }
}
