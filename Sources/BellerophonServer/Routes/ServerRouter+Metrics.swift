import Foundation
import NIOCore
import NIOHTTP1

extension ServerRouter {
    /// `GET /metrics`, in Prometheus' text format 0.0.4.
    func metrics(_ call: Call) async throws -> Response {
        let text = await publisher.metrics(certificateExpiry: certificate?.value.expiry)
        return Response(
            status: .ok,
            headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": CachePolicy.none],
            body: .bytes(ByteBuffer(string: text))
        )
    }

    /// `GET /ready`: 200 if the server can read its store and write to it, otherwise 503 with the reasons.
    func ready(_ call: Call) async throws -> Response {
        let readiness = await publisher.readiness()
        return .json(Data(readiness.json.utf8), status: readiness.isReady ? .ok : .serviceUnavailable)
    }
}
