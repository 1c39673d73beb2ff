#if Server
import Foundation
import HTTPTypes
import Hummingbird

extension ServerRouter {
    /// `GET /metrics`, in Prometheus' text form 0.0.4.
    func metrics(_ request: Request, _ context: ServerContext) async throws -> Response {
        let text = await keeper.metrics().text
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: CachePolicy.none],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}

/// The server's figures at one moment.
struct ServerMetrics {
    var counts = RequestCounts()
    var connections = 0
    var streams = 0
    var activeRequests = 0
    var serial: Int64 = 0
    var snapshots = 0
    var startedAt = Date()
    var process = ProcessFigures.now

    var text: String {
        var lines: [String] = []
        lines += Self.family("bellerophon_requests_total", "counter", "Answers by what was asked for and by code.")
        for (route, code, count) in counts.nonzero {
            lines.append("bellerophon_requests_total{route=\"\(route.label)\",code=\"\(code)\"} \(count)")
        }
        let single: [(String, String, String, String)] = [
            ("bellerophon_sent_bytes_total", "counter", "Bytes of answers and stream messages.", "\(counts.bytes)"),
            ("bellerophon_stream_messages_total", "counter", "Messages written to streams, heartbeats too.", "\(counts.pushed)"),
            ("bellerophon_shed_total", "counter", "Requests and streams refused because there was too much to do.", "\(counts.shed)"),
            ("bellerophon_connections", "gauge", "Open connections.", "\(connections)"),
            ("bellerophon_streams", "gauge", "Open streams.", "\(streams)"),
            ("bellerophon_active_requests", "gauge", "Requests that the router works on.", "\(activeRequests)"),
            ("bellerophon_snapshot_serial", "gauge", "The newest journal row that clients see.", "\(serial)"),
            ("bellerophon_snapshots_total", "counter", "Changes of what clients see since the start.", "\(snapshots)"),
            ("process_start_time_seconds", "gauge", "When the server started, since 1970.", "\(startedAt.timeIntervalSince1970)"),
        ]
        for (name, kind, help, value) in single { lines += Self.family(name, kind, help) + ["\(name) \(value)"] }
        lines += processLines
        lines += Self.family("bellerophon_build_info", "gauge", "The version that runs.")
        lines.append("bellerophon_build_info{version=\"\(ServerVersion.text)\"} 1")
        return lines.joined(separator: "\n") + "\n"
    }

    private var processLines: [String] {
        let known: [(String, String, Int64?)] = [
            ("process_resident_memory_bytes", "Memory in use.", process.residentBytes),
            ("process_open_fds", "Open file descriptors.", process.openFiles),
            ("process_max_fds", "How many may be open.", process.maximumFiles),
        ]
        return known.flatMap { name, help, value in
            value.map { Self.family(name, "gauge", help) + ["\(name) \($0)"] } ?? []
        }
    }

    private static func family(_ name: String, _ kind: String, _ help: String) -> [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) \(kind)"]
    }
}

/// The version of the server.
public enum ServerVersion {
    public static let text = "0.1.0"
}
#endif
