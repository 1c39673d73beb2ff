public import Foundation

/// The address of a status is not an `http` or `https` address with a host.
public struct StatusAddressError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// One line that states the problem and a remedy.
    public let description: String

    /// - Parameter problem: as ``StatusAddress/problem(of:)`` describes it.
    init(_ problem: String) {
        description = "the status URL \(problem)"
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
