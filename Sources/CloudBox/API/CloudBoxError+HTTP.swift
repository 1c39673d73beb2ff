import Foundation
import HTTPTransport
import SafeText

extension CloudBoxError.Reason {
    /// The reason for an exchange without a complete response.
    init(_ failure: TransportError) {
        switch failure {
        case .cancelled: self = .cancelled
        case .deadline(let limit), .silence(let limit): self = .silence(limit)
        case .redirect(let why): self = .redirectRefused(why)
        case .connection(_, let message): self = .transport(TextSanitizer.sanitize(message, keepingNewlines: false, limit: 300))
        }
    }
}
