import CloudBox
import Foundation

/// Syncs the resources named on standard input, one per line, and prints the cost of each as JSON.
///
///     sync-resource SERVER FOLDER
@main
enum SyncResource {
    struct Report: Encodable {
        var outcome: String
        /// Body bytes of the resource.
        var received: Int64 = 0
        var seconds: Double
        /// Growth of the peak resident size, in bytes.
        var growth: Int64
        /// The file of the version in use.
        var file = ""
    }

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let server = URL(string: arguments[1]) else {
            FileHandle.standardError.write(Data("usage: sync-resource SERVER FOLDER\n".utf8))
            exit(64)
        }
        let folder = URL(fileURLWithPath: arguments[2], isDirectory: true)
        let limits = CloudBoxConfiguration.Limits(resourceBytes: 4 << 30, totalBytes: 16 << 30)
        let box = CloudBoxClient(CloudBoxConfiguration(folder: folder, servers: [server], limits: limits))
        while let name = readLine() {
            do {
                let report = try JSONEncoder().encode(try await sync(name, of: box))
                FileHandle.standardOutput.write(report + Data("\n".utf8))
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
    }

    private static func sync(_ name: String, of box: CloudBoxClient) async throws -> Report {
        if !box.registeredNames.contains(name) { try box.register(name) }
        let before = peakResidentSize
        let start = ContinuousClock.now
        let outcome = await box.sync(name)
        let seconds = (ContinuousClock.now - start) / .seconds(1)

        var report = Report(outcome: "", seconds: seconds, growth: peakResidentSize - before)
        switch outcome {
        case .updated(_, _, let received): (report.outcome, report.received) = ("updated", received)
        case .unchanged: report.outcome = "unchanged"
        case .busyElsewhere: report.outcome = "busy elsewhere"
        case .failed(let error): throw error
        }
        report.file = try box.fileURL(for: name)?.path ?? ""
        return report
    }

    /// In bytes.
    private static var peakResidentSize: Int64 {
        var usage = rusage()
        #if os(Linux)
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return Int64(usage.ru_maxrss) << 10  // `ru_maxrss` is in KiB.
        #else
        getrusage(RUSAGE_SELF, &usage)
        return Int64(usage.ru_maxrss)
        #endif
    }
}
