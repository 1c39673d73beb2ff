import Foundation

/// All network faults of the promise, by kind.
enum FaultTable {
    static let all =
        connections + silences + lengths + chunks + heads + interims + redirects + statusCodes + retries + floods + encodings
        + documents + texts + numbers

    /// All faults, or only those whose names contain the text of the variable `FAULT_CASE`.
    static let chosen =
        ProcessInfo.processInfo.environment["FAULT_CASE"].map { text in
            all.filter { $0.name.contains(text) }
        } ?? all

    static let json = "Content-Type: application/json"
}
