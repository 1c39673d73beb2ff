import Bellerophon

/// What one check of a profile's status address has given.
package enum StatusReading: Equatable, Sendable {
    /// The status is readable.
    case stage(Stage)
    /// It is not, for this reason: a program with this profile would run without being covered.
    case problem(String)

    package init(_ result: Result<StatusReply, StatusError>) {
        switch result {
        case .success(let reply): self = .stage(reply.document.stage)
        case .failure(let error): self = .problem(error.description)
        }
    }

    package var isProblem: Bool { problem != nil }

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
