import BellerophonCurses
import CNcurses
import Foundation

/// A host that does not serve its main queue for a while, or never.
///
/// `FaultProbe busy URL [never] [alone]`: the keys `b` and `c` make it busy until the named pipe `$HOME/go` is opened;
/// after `c` it ends then. So does the file `$HOME/stall`, also under a view. With `never` it reads keys
/// with a loop of its own instead. With `alone` it has no controlling terminal.
@MainActor
enum BusyApp {
    static func run(_ arguments: [String]) {
        guard let address = arguments.first, let url = URL(string: address) else { exit(64) }
        if arguments.contains("alone") { setsid() }
        initscr()
        cbreak()
        noecho()
        curs_set(0)
        guard let killSwitch = try? KillSwitch.start(statusURL: url) else { exit(64) }
        show("HOST ready")
        arguments.contains("never") ? readKeys() : takeKeys(killSwitch)
        exit(killSwitch.close().exitStatus)
    }

    private static func show(_ text: String) {
        erase()
        for row in 0..<20 { _ = cncurses_put_text(cncurses_stdscr(), Int32(row), 0, "\(text), row \(row)", 0) }
        refresh()
    }

    private static func takeKeys(_ killSwitch: KillSwitch) {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now(), repeating: .milliseconds(20))
        timer.setEventHandler { MainActor.assumeIsolated { if unlink(path("stall")) == 0 { beBusy() } } }
        timer.resume()
        defer { timer.cancel() }
        while let key = killSwitch.window.nextKey(), key != .character("q") {
            switch key {
            case .character("b"): beBusy()
            case .character("c"): return beBusy()
            default: show("HOST got \(key)")
            }
        }
    }

    private static func path(_ name: String) -> String { (ProcessInfo.processInfo.environment["HOME"] ?? "") + "/" + name }

    private static func beBusy() {
        mkfifo(path("go"), 0o600)
        show("HOST busy")
        // It returns when the other end is opened.
        close(open(path("go"), O_RDONLY))
        show("HOST done")
    }

    /// The loop of a program that does not know of a run loop.
    private static func readKeys() {
        var text: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = read(0, &byte, 1)
            guard count == 1 else { continue }
            if byte == UInt8(ascii: "q") { return }
            text.append(byte)
            show("HOST has \(String(decoding: text, as: UTF8.self))")
        }
    }
}
