#if os(Linux)
import CCurl
import Foundation
import FoundationNetworking

/// Carries the requests of a `URLSession` with libcurl, which Foundation on Linux uses too, but without the faults of
/// Foundation's own engine: replies that end the process, a core that is kept busy by a pending request, and one transport
/// for all sessions (docs/reliability.md has the list).
///
/// A response that asks for a password ends with `URLError.userAuthenticationRequired` after its head and body, because
/// Foundation would otherwise repeat the request with its own engine.
final class CurlProtocol: URLProtocol {
    /// Kept by the loop while it runs. It keeps this object, in turn.
    private weak var transfer: CurlTransfer?

    override class func canInit(with request: URLRequest) -> Bool {
        let scheme = request.url?.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let transfer = CurlTransfer(self, owner: task?.delegate as? any TransferOwner)
        self.transfer = transfer
        CurlLoop.shared?.start(transfer) ?? transfer.fail(URLError(.unknown, sentence: "libcurl can't be used on this system"))
    }

    /// Returns once no more calls to the client are made: Foundation ends the process on one for a task that is over.
    override func stopLoading() {
        guard let transfer else { return }
        transfer.stop()
        CurlLoop.shared?.end(transfer)
    }
}
#endif
