import Bellerophon
import Foundation
import Synchronization

/// A synchronous tool in a pipe: it copies lines in capitals. A kill ends it also while it waits for a line, and the number of
/// lines is saved first, so that the next run can continue there.
///
/// ```sh
/// tail -f app.log | LineTool https://status.example.com/status lines.txt
/// ```
@main
enum LineTool {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[1]) else { fail("usage: LineTool STATUS-URL FILE") }
        let progress = Progress(file: arguments[2])
        var options = LineOptions()
        options.grace = .seconds(1)  // no line takes longer
        do {
            try withKillSwitch(statusURL: url, options: options, onKill: { _ in progress.save() }) { signal in
                while !signal.isKilled, let line = readLine() {
                    print(line.uppercased())
                    progress.add()
                }
            }
            progress.save()
        } catch {
            fail("LineTool: \(error)")
        }
    }

    private static func fail(_ line: String) -> Never {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
        exit(64)
    }
}

/// The number of lines that were copied. `onKill` saves it on another thread.
private final class Progress: Sendable {
    private let lines = Mutex(0)
    private let file: String

    init(file: String) {
        self.file = file
    }

    func add() { lines.withLock { $0 += 1 } }

    func save() {
        try? Data("\(lines.withLock { $0 })\n".utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    }
}
