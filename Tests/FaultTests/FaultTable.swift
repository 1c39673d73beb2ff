import Foundation

/// Every network fault of the promise, by what goes wrong.
enum FaultTable {
    static let all =
        connections + silences + lengths + chunks + heads + interims + redirects + statusCodes + retries + floods + encodings
        + documents + texts + numbers

    /// All, or only those with the text of the variable `FAULT_CASE` in their names, to look at one by itself.
    static let chosen =
        ProcessInfo.processInfo.environment["FAULT_CASE"].map { text in
            all.filter { $0.name.contains(text) }
        } ?? all

    static let json = "Content-Type: application/json"
}
