import Bellerophon
import Foundation

/// What one check of a profile's status address has given.
package enum StatusReading: Equatable, Sendable {
    /// The status is readable.
    case stage(Stage)
    /// It is not, for this reason: a program with this profile would run without being covered.
    case problem(String)

    /// - Parameters:
    ///   - app: what is known of the program.
    ///   - date: the wall clock at the end of the check.
    package init(_ result: Result<StatusReply, StatusError>, app: AppFacts, at date: Date) {
        switch result.withEarly(for: app, at: date) {
        case .success(let reply): self = .stage(reply.document.verdict(for: app, at: reply.planDate(at: date)).stage)
        case .failure(let error): self = .problem(error.description)
        }
    }

    package var stage: Stage? {
        if case .stage(let stage) = self { stage } else { nil }
    }

    package var problem: String? {
        if case .problem(let text) = self { text } else { nil }
    }

    /// `active`, `unreadable: the server replied with HTTP 404`.
    package var text: String {
        switch self {
        case .stage(let stage): stage.title
        case .problem(let text): "unreadable: \(text)"
        }
    }
}
