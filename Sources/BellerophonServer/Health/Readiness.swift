#if Server
import NIOCore

/// Whether the server can do all that it is for: answer from a store that it sees, and publish to it.
struct Readiness: Equatable, Sendable {
    /// Why not; empty where it can.
    let reasons: [String]

    var isReady: Bool { reasons.isEmpty }

    /// A server that has not looked at its store for longer may not know what was published.
    static let lookLimit = TimeAmount.seconds(10)

    /// - Parameters:
    ///   - isInPlace: the store's file still has its name.
    ///   - isReadable: the last look at the store succeeded.
    ///   - lookAge: the time since then.
    ///   - writeProblem: why the store can't be written; nil where it can.
    init(isInPlace: Bool, isReadable: Bool, lookAge: TimeAmount, writeProblem: String?) {
        var reasons: [String] = []
        if !isInPlace { reasons.append("the store's file was moved or replaced; restart the server") }
        if !isReadable { reasons.append("the store can't be read") }
        if lookAge >= Self.lookLimit {
            reasons.append("the store was not looked at for \(lookAge.nanoseconds / 1_000_000_000) s")
        }
        if let writeProblem { reasons.append(writeProblem) }
        self.reasons = reasons
    }

    /// `{"ready":true}`, or `{"ready":false,"reasons":["…"]}`.
    var json: String {
        guard !isReady else { return #"{"ready":true}"# }
        return #"{"ready":false,"reasons":[\#(reasons.map { UnseenText.quoted($0) }.joined(separator: ","))]}"#
    }
}
#endif
