import CloudBox
import Foundation

/// A program for tests to kill: it syncs one resource repeatedly and prints the outcomes.
///
/// `CloudBoxProbe FOLDER SERVER NAME COUNT` prints a line per sync: the version in use, then the outcome. At its end it
/// prints the growth of its peak memory in KiB. `CloudBoxProbe digest` exits while it computes many digests.
@main
struct CloudBoxProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.dropFirst() == ["digest"] { endAmidDigests() }
        guard arguments.count == 5, let server = URL(string: arguments[2]), let count = Int(arguments[4]) else {
            print("usage: CloudBoxProbe FOLDER SERVER NAME COUNT")
            exit(64)
        }
        let folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
        let limits = CloudBoxConfiguration.Limits(resourceBytes: 4 << 30, totalBytes: 16 << 30)
        let box = CloudBoxClient(CloudBoxConfiguration(folder: folder, servers: [server], limits: limits))
        let name = arguments[3]
        do {
            try box.register(name)
        } catch {
            print(error)
            exit(65)
        }
        let before = peakKiB
        for _ in 0..<count {
            let outcome = await box.sync(name)
            let version = (try? box.facts(for: name).version).flatMap { $0 }
            say("\(version.map(String.init) ?? "none") \(outcome)")
        }
        say("grew \(peakKiB - before)")
    }

    private static func endAmidDigests() -> Never {
        let begun = DispatchSemaphore(value: 0)
        for number in 0..<4 {
            Thread.detachNewThread {
                for count in 0... {
                    _ = Digest(.sha256, of: Data("\(number) \(count)".utf8))
                    if count == 100 { begun.signal() }
                }
            }
        }
        for _ in 0..<4 { begun.wait() }
        exit(0)
    }

    /// Unbuffered, because a test may end this program at any time.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// The largest resident size so far; 0 if the system does not report it.
    private static var peakKiB: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
            return Int(line.filter(\.isNumber)) ?? 0
        }
        return 0
    }
}
