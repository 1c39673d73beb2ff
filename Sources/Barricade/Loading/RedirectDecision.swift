import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The handling of a redirect.
enum RedirectDecision: Sendable {
    /// The barricade handles the next request.
    case follow(URLRequest)
    /// The redirect reply itself is delivered.
    case refuse
    /// The loading system continues with another loader.
    case handedOver
}
