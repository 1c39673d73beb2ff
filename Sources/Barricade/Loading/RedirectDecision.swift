import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What becomes of a redirect.
enum RedirectDecision: Sendable {
    /// The barricade answers that request in its turn.
    case follow(URLRequest)
    /// The reply with the `Location` is itself the answer.
    case refuse
    /// The loading system goes on by itself, with another loader.
    case handedOver
}
