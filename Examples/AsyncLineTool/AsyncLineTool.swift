import Bellerophon
import Foundation

/// An asynchronous tool: it does one job after the other. A kill cancels the job, and the tool says where it stopped.
@main
enum AsyncLineTool {
    static func main() async {
        guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
            fail("usage: AsyncLineTool STATUS-URL")
        }
        do {
            try await withKillSwitch(statusURL: url, onKill: { _ in print("saved") }) {
                for number in 1...1000 { try await job(number) }
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
