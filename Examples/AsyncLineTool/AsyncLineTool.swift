import Bellerophon
import Foundation

/// An asynchronous tool: it does one job after the other. A kill cancels the job, and the tool says where it stopped.
@main
enum AsyncLineTool {
    static func main() async {
        let arguments = CommandLine.arguments
        let jobs = arguments.count > 2 ? Int(arguments[2]) : 1000
        guard arguments.count > 1, let url = URL(string: arguments[1]), let jobs, jobs > 0 else {
            fail("usage: AsyncLineTool STATUS-URL [JOBS]")
        }
        do {
            try await withKillSwitch(statusURL: url, onKill: { _ in print("saved") }) {
                for number in 1...jobs { try await job(number) }
            }
        } catch {
            fail("AsyncLineTool: \(error)")
        }
    }

    private static func job(_ number: Int) async throws {
        do {
            try await Task.sleep(for: .seconds(1))
            print("job \(number) done")
        } catch {
            print("job \(number) cancelled")
            throw error
        }
    }

    private static func fail(_ line: String) -> Never {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
        exit(64)
    }
}
