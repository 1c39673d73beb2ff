import TestSupport

/// Faulty replies of a hostile server. None is a valid status, so none may change the screen.
enum SoakFaults {
    static let all: [Behaviour] = [
        .hang, .hangUp, .garbage, .html(), .html(status: 502), .noContent, .failure(404), .failure(500),
        .busy(retryAfter: "1"), .busy(status: 429, retryAfter: "2"), .busy(retryAfter: "soon"), .redirect(to: "/status"),
        .redirect(to: "http://127.0.0.2:9/status"), .redirect(to: "file:///etc/passwd"), .failure(304),
        .json("{\"apiInactive\":tr"), .json("{}"), .json("[" + String(repeating: "[", count: 5000)),
        .json("{\"apiInactive\":\"yes\",\"forceUpdate\":1,\"retryInterval\":null}"),
        .slowHead(Answer(text: "{}"), every: .milliseconds(40)),
        .drip(Answer(text: HostileServer.live), every: .milliseconds(200)),
        .endlessDrip(every: .milliseconds(20)), .oversized(bytes: 1 << 20, announced: true),
        .oversized(bytes: 1 << 20, announced: false), .truncated(Answer(text: HostileServer.live), after: 30),
        .reset(Answer(text: HostileServer.live), after: 30), .gzipBomb(inflatedBytes: 1 << 20),
        .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}".utf8)),
        .raw(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n".utf8)), .raw([]),
    ]
}
