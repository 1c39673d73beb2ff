import Foundation
import TestSupport

/// The statuses of the sessions, and a function that starts a program against a server with them.
enum Status {
    /// Active, with a retry interval of one second.
    static let live = document()
    static let paused = document(inactive: true, message: "Back at 14:30 UTC.")
    static let update = document(update: true, more: #","requiredVersion":"1.5.2","updateURL":"https://example.com/get""#)

    static func document(
        inactive: Bool = false, update: Bool = false, interval: Double = 1, message: String? = nil, more: String = ""
    ) -> Behaviour {
        let text = message.map { "\"\($0)\"" } ?? "null"
        return .status(
            #"{"apiInactive":\#(inactive),"forceUpdate":\#(update),"retryInterval":\#(interval),"userMessage":\#(text)\#(more)}"#)
    }
}
