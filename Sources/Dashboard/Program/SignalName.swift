import Foundation

/// The conventional name of a signal number.
enum SignalName {
    static func of(_ number: Int32) -> String {
        switch number {
        case SIGHUP: "SIGHUP"
        case SIGINT: "SIGINT"
        case SIGQUIT: "SIGQUIT"
        case SIGTERM: "SIGTERM"
        default: "signal \(number)"
        }
    }
}
