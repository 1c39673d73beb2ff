import Bellerophon
import Foundation

/// A killable app without a screen, which tests starve, flood and kill.
///
/// `FaultProbe check URL [--store FILE] [--starve] [--for SECONDS] [--timeout SECONDS] [--then URL] [--stream URL]`
/// performs checks and prints their results; `FaultProbe save FILE` saves records until it is killed; `FaultProbe crash` draws, and
/// crashes on another thread; `FaultProbe draw` `FaultProbe host` and
/// `FaultProbe busy` are hosts of views, see ``DrawingApp``, ``HostLoopApp`` and ``BusyApp``.
@main
struct FaultProbe {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.isEmpty ? "" : arguments.removeFirst() {
        case "save": Saving.run(file: arguments.first ?? "")
        case "crash": CrashingApp.run()
        case "draw": DrawingApp.run(arguments)
        case "host": HostLoopApp.run(arguments)
        case "busy": BusyApp.run(arguments)
        case "check": ProbedApp.run(ProbeOptions(arguments))
        default:
            print(
                """
                usage: FaultProbe check URL [--store FILE] [--starve] [--for SECONDS] | save FILE | crash
                     | draw URL HERTZ [print] [exit|leave|modes] | host URL LOOP [alone] | busy URL [never] [alone]
                """
            )
            exit(64)
        }
    }
}

/// The options of the probed app.
struct ProbeOptions {
    var url = URL(fileURLWithPath: "/")
    var store: URL?
    /// Performs a second check with no free file descriptor, and a third after releasing them.
    var starves = false
    /// Continues with further checks for this many seconds after the first check.
    var seconds = 0.0
    /// The deadline of a check in seconds; nil uses the default.
    var timeout: Double?
    /// A URL to check once after the end of the first check.
    var next: URL?
    /// A stream that is open before the first check, and stays open.
    var stream: URL?

    init(_ arguments: [String]) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--store": store = rest.popFirst().map { URL(fileURLWithPath: $0) }
            case "--starve": starves = true
            case "--then": next = rest.popFirst().flatMap { URL(string: $0) }
            case "--stream": stream = rest.popFirst().flatMap { URL(string: $0) }
            case "--timeout": timeout = rest.popFirst().flatMap(Double.init)
            case "--for": seconds = rest.popFirst().flatMap(Double.init) ?? 0
            default: url = URL(string: word) ?? url
            }
        }
    }
}

/// Saves two kinds of record alternately. The number in the message determines the kind.
enum Saving {
    static func run(file: String) {
        let store = FileStatusStore(url: URL(fileURLWithPath: file))
        for number in 1... {
            do {
                try store.save(record(number))
            } catch StatusStoreError.locked {
                // Another process saves at this moment. The next record is saved.
            } catch {
                Line.print("error: \(error)")
                exit(1)
            }
            if number == 1 { Line.print("saving") }
        }
    }

    /// The sizes differ greatly, so that a mixture of two records is detected.
    static func record(_ number: Int) -> StatusRecord {
        let isKilled = number % 2 == 1
        let message = "\(number) " + String(repeating: isKilled ? "k" : "l", count: isKilled ? 3000 : 10)
        return StatusRecord(
            StatusDocument(isInactive: isKilled, requiresUpdate: false, interval: Double(number), message: message),
            since: Date(timeIntervalSince1970: 1_768_485_731), appVersion: "1"
        )
    }
}

/// Prints unbuffered lines, since the process may be killed at any time.
enum Line {
    static func print(_ text: String) {
        Swift.print(text)
        fflush(nil)
    }
}
