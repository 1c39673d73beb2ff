import BellerophonBase
package import Foundation
package import StatusModel

// A signed status that is ahead of this machine's clock, see decision 0057.

extension StatusReply {
    /// Whether a signed status that is ahead of this machine's clock counts: it covers the app at least as strictly as what is shown, by
    /// the time at which it was signed.
    func coversEarly(_ app: AppFacts, over stage: Stage) -> Bool {
        guard let issuedAt = metadata?.proof?.issuedAt else { return false }
        return document.verdict(for: app, at: issuedAt).stage.covers(over: stage)
    }

    /// What a person is told of the clock; nil if it does not matter.
    package var clockRemark: String? {
        clockLag.map {
            "this machine's clock is \($0.briefText) slow; the signed status is ahead of it, and counts because it covers the app"
        }
    }
}

extension StatusError {
    /// A copy with this wall-clock time of receipt of its status.
    func received(on date: Date) -> StatusError {
        var error = self
        error.early = early?.received(on: date)
        return error
    }
}

extension Result<StatusReply, StatusError> {
    /// The result for a program that shows a stage and does not follow the time: a status that is ahead of this machine's clock counts
    /// if it covers the app.
    /// - Parameter wall: the wall clock; nil if it is not known.
    package func withEarly(for app: AppFacts, over stage: Stage = .unknown, at wall: Date?) -> Self {
        guard case .failure(let error) = self, let reply = error.early, reply.coversEarly(app, over: stage),
            reply.document.verdict(for: app, at: wall).stage.covers(over: stage)
        else { return self }
        return .success(reply)
    }
}
