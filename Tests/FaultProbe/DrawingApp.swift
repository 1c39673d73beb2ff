import BellerophonCurses
import CNcurses
import Foundation

/// A host that draws from a timer and prints from a thread, also while a view is up.
///
/// `FaultProbe draw URL HERTZ [print] [exit|leave|modes]`: the last word is what it does once under the first view.
@MainActor
final class DrawingApp {
    private let killSwitch: KillSwitch
    private let act: String?
    private var count = 0
    private var coveredTicks = 0

    static func run(_ arguments: [String]) {
        guard arguments.count >= 2, let url = URL(string: arguments[0]), let hertz = Double(arguments[1]) else { exit(64) }
        initscr()
        cbreak()
        noecho()
        let act = arguments.dropFirst(2).first { $0 != "print" }
        guard let killSwitch = try? KillSwitch.start(statusURL: url) else { exit(64) }
        let app = DrawingApp(killSwitch, act: act)
        let timer = Timer(timeInterval: 1 / hertz, repeats: true) { _ in MainActor.assumeIsolated { app.tick() } }
        RunLoop.main.add(timer, forMode: .default)
        if arguments.contains("print") { Thread.detachNewThread { printForever() } }
        app.tick()
        while let key = app.killSwitch.window.nextKey(), key != .character("q") {}
        app.killSwitch.close()
    }

    private init(_ killSwitch: KillSwitch, act: String?) {
        (self.killSwitch, self.act) = (killSwitch, act)
    }

    private nonisolated static func printForever() {
        while true {
            _ = "PRINTED\r\n".withCString { write(1, $0, 9) }
            usleep(50_000)
        }
    }

    private func tick() {
        count += 1
        if killSwitch.window.isPresented {
            coveredTicks += 1
            if coveredTicks == 3 { actOnce() }
        }
        guard !isendwin() else { return }
        let text = "HOST tick \(count) of \(cncurses_columns())x\(cncurses_lines())"
        erase()
        for row in 0..<20 { _ = cncurses_put_text(cncurses_stdscr(), Int32(row), 0, "\(text) row \(row)", 0) }
        refresh()
    }

    private func actOnce() {
        switch act {
        case "modes":
            keypad(cncurses_stdscr(), true)
            curs_set(0)
            raw()
        case "exit":
            endwin()
            print("The last words.")
            exit(3)
        case "leave": exit(3)
        default: break
        }
    }
}
