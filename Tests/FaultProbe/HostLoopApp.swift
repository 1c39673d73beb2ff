import BellerophonCurses
import CNcurses
import Foundation

/// A host with a loop of its own, and the exit status of the kill switch.
///
/// `FaultProbe host URL LOOP [alone]`. The loop is one of these:
/// - `keys` waits for keys; `events` does it with the asynchronous sequence.
/// - `poll` asks with a timeout of zero.
/// - `slow` takes long for each key.
/// - `serve` answers the lines that come through the named pipe `$HOME/requests`, also under a view.
/// - `early` starts the kill switch before its screen.
///
/// With `alone` it has no controlling terminal, so that only the end of the input tells of a closed window.
@MainActor
final class HostLoopApp {
    private let killSwitch: KillSwitch
    private var window: CursesOverlayWindow { killSwitch.window }
    private var count = 0

    static func run(_ arguments: [String]) {
        guard arguments.count >= 2 else { exit(64) }
        do {
            let url = try KillSwitch.statusURL(arguments[0])
            if arguments.contains("alone") { setsid() }
            if arguments[1] != "early" { openScreen() }
            HostLoopApp(try KillSwitch.start(statusURL: url)).run(arguments[1])
        } catch {
            FileHandle.standardError.write(Data("FaultProbe: \(error)\n".utf8))
            exit(64)
        }
    }

    private static func openScreen() {
        initscr()
        cbreak()
        noecho()
    }

    private init(_ killSwitch: KillSwitch) { self.killSwitch = killSwitch }

    private func run(_ loop: String) {
        show("ready")
        switch loop {
        case "events": Task { await takeEvents() }
        case "poll": poll()
        case "slow": takeKeysSlowly()
        case "serve": serve()
        default: takeKeys()
        }
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }

    private func show(_ text: String) {
        erase()
        _ = cncurses_put_text(cncurses_stdscr(), 0, 0, "HOST \(text)", 0)
        refresh()
    }

    /// The second call must change nothing.
    private func end() -> Never {
        killSwitch.close()
        exit(killSwitch.close().exitStatus)
    }

    private func takeKeys() {
        while let key = window.nextKey(), key != .character("q") { show("got \(key)") }
        end()
    }

    private func takeEvents() async {
        for await event in window.events {
            guard case .key(let key) = event, key != .character("q") else { break }
            show("got \(key)")
        }
        end()
    }

    private func poll() {
        while true {
            switch window.nextEvent(timeout: .zero) {
            case .quit, .key(.character("q")): end()
            case .key(let key): show("got \(key)")
            case .timeout: sched_yield()
            }
        }
    }

    private func takeKeysSlowly() {
        while case .key = window.nextEvent() {
            count += 1
            show("key \(count)")
            usleep(100_000)
        }
        end()
    }

    private func serve() {
        let path = (ProcessInfo.processInfo.environment["HOME"] ?? "") + "/requests"
        mkfifo(path, 0o600)
        let pipe = open(path, O_RDWR | O_NONBLOCK)
        while true {
            switch window.nextEvent(timeout: .milliseconds(10), whileCovered: true) {
            case .quit, .key(.character("q")): end()
            case .key: break
            case .timeout: answer(pipe, besides: path)
            }
        }
    }

    private func answer(_ pipe: Int32, besides path: String) {
        var buffer = [UInt8](repeating: 0, count: 100)
        let length = read(pipe, &buffer, buffer.count)
        guard length > 0 else { return }
        let text = String(decoding: buffer[..<length], as: UTF8.self)
        show("served \(text)")
        let answer = "\(text), \(window.isPresented ? "covered" : "seen")"
        try? answer.write(toFile: path + ".answer", atomically: true, encoding: .utf8)
    }
}
