#if Server
import NIOCore

/// Whether the server is fully functional: it has read its store recently and can write to it.
struct Readiness: Equatable, Sendable {
    /// The reasons why the server is not ready; empty if it is.
    let reasons: [String]

    var isReady: Bool { reasons.isEmpty }

    /// If the last check of the store is older, the server may have missed a publish.
    static let lookLimit = TimeAmount.seconds(10)

    /// - Parameters:
    ///   - isInPlace: the store's path still refers to the opened file.
    ///   - isReadable: the last check of the store succeeded.
    ///   - lookAge: the time since that check.
    ///   - writeProblem: why the store can't be written; nil if it can.
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
