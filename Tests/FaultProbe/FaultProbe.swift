import Bellerophon
import Foundation

/// A killable app without a screen, for the tests to starve, flood and kill.
///
/// `FaultProbe check URL [--store FILE] [--starve] [--for SECONDS] [--timeout SECONDS] [--then URL]` makes checks and says in
/// lines what came of them; `FaultProbe save FILE` saves records until it is killed; `FaultProbe crash` draws, and crashes on
/// another thread.
@main
struct FaultProbe {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.isEmpty ? "" : arguments.removeFirst() {
        case "save": Saving.run(file: arguments.first ?? "")
        case "crash": CrashingApp.run()
        case "check": ProbedApp.run(ProbeOptions(arguments))
        default:
            print("usage: FaultProbe check URL [--store FILE] [--starve] [--for SECONDS] | save FILE | crash")
            exit(64)
        }
    }
}

/// What the probed app is to do.
struct ProbeOptions {
    var url = URL(fileURLWithPath: "/")
    var store: URL?
    /// Makes a second check without a file descriptor left, and a third with them given back.
    var starves = false
    /// Goes on for so many seconds after the first check, with further ones.
    var seconds = 0.0
    /// The deadline of a check; the default's unless set.
    var timeout: Double?
    /// Asked once, after the first check has ended.
    var next: URL?

    init(_ arguments: [String]) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--store": store = rest.popFirst().map { URL(fileURLWithPath: $0) }
            case "--starve": starves = true
            case "--then": next = rest.popFirst().flatMap { URL(string: $0) }
            case "--timeout": timeout = rest.popFirst().flatMap(Double.init)
            case "--for": seconds = rest.popFirst().flatMap(Double.init) ?? 0
            default: url = URL(string: word) ?? url
            }
        }
    }
}

/// Saves one record after the other: which of the two follows from the number in its message.
enum Saving {
    static func run(file: String) {
        let store = FileStatusStore(url: URL(fileURLWithPath: file))
        for number in 1... {
            do {
                try store.save(record(number))
            } catch {
                Line.print("error: \(error)")
                exit(1)
            }
            if number == 1 { Line.print("saving") }
        }
    }

    /// Of very different sizes, so that a mixture of two would show.
    static func record(_ number: Int) -> StatusRecord {
        let isKilled = number % 2 == 1
        let message = "\(number) " + String(repeating: isKilled ? "k" : "l", count: isKilled ? 3000 : 10)
        return StatusRecord(
            StatusDocument(isInactive: isKilled, requiresUpdate: false, interval: Double(number), message: message),
            since: Date(timeIntervalSince1970: 1_768_485_731), appVersion: "1"
        )
    }
}

/// Lines that leave the process at once: it may not live long.
enum Line {
    static func print(_ text: String) {
        Swift.print(text)
        fflush(nil)
    }
}
