import Bellerophon
import Foundation
import TestSupport
import Testing

/// Floods, each against its own process: their memory use is bounded, and they end.
@Suite("Floods", .serialized)
struct FloodTests {
    struct Flood: Sendable, CustomTestStringConvertible {
        let name: String
        /// Megabytes by which the process may grow.
        let megabytes: Double
        /// How long the process continues after its first check. More than two seconds allow a second check, which
        /// waits.
        let seconds: String
        let error: String
        let answer: @Sendable () -> Behaviour

        var testDescription: String { name }

        init(
            _ name: String, megabytes: Double, seconds: String = "0.7", error: String = FaultTable.tooLarge,
            _ answer: @escaping @Sendable () -> Behaviour
        ) {
            (self.name, self.megabytes, self.seconds, self.error, self.answer) = (name, megabytes, seconds, error, answer)
        }
    }

    private static func chunks(of size: Int, count: Int) -> Behaviour {
        .wire([
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .flood(String(size, radix: 16) + "\r\n" + String(repeating: " ", count: size) + "\r\n", times: count), .hang,
        ])
    }

    static let floods = [
        Flood("a body of 1 GB", megabytes: 64) { .oversized(bytes: 1_000_000_000, announced: true) },
        Flood("a body of 1 GB, unannounced", megabytes: 64) { .oversized(bytes: 1_000_000_000, announced: false) },
        Flood("chunks without end", megabytes: 64, seconds: "3") { chunks(of: 4096, count: .max) },
        Flood("a million chunks of a byte", megabytes: 64) { chunks(of: 1, count: 1_000_000) },
        Flood("a compressed bomb of 400 MB", megabytes: 64, error: FaultTable.compressed) {
            .gzipBomb(inflatedBytes: 400_000_000)
        },
    ]

    @Test(arguments: floods)
    func aFloodIsCut(flood: Flood) async throws {
        let server = try HostileServer(flood.answer())
        let report = try await ProbeReport.of(["check", server.address, "--for", flood.seconds])
        #expect(report.status == .exited(0))
        #expect(report.all("error").first == flood.error)
        #expect(report.all("stage") == ["unknown"])
        #expect(report.number("grown") <= flood.megabytes * Double(Sanitizer.memoryFactor))
        Figures.record("\(flood.name): \(report.lines.map { "\($0.subject) \($0.text)" }.joined(separator: ", "))")
    }

    @Test(arguments: [true, false])
    func aTransferThatFloodsIsCutAndNotDrained(announced: Bool) async throws {
        let server = try HostileServer(.oversized(bytes: 64_000_000_000, announced: announced))
        let probe = try RunningProgram("FaultProbe", ["check", server.address, "--for", "600"], home: TestFolder())
        let exchange = try await server.exchange(number: 1)
        // The client reads 64 KiB; the rest is in the buffers of both ends.
        #expect(exchange.bodyBytesSent < 64_000_000)
        #expect(probe.status == nil, "\(probe.log)")
    }
}

/// Figures for the table of promises, printed if `FAULT_FIGURES` is set.
enum Figures {
    private static let areWanted = ProcessInfo.processInfo.environment["FAULT_FIGURES"] != nil

    static func record(_ text: String) {
        if areWanted { print("figure: \(text)") }
    }
}
