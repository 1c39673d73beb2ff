#if os(Linux)
import CCurl
import Foundation
import FoundationNetworking

/// Performs the requests of a `URLSession` with libcurl.
///
/// Foundation's own engine on Linux also uses libcurl, but some replies crash it, a pending request keeps a core busy, and
/// one transport serves all sessions (docs/reliability.md has the list).
///
/// A response with the status 401 ends with `URLError.userAuthenticationRequired` after its head and body, because
/// Foundation would otherwise repeat the request with its own engine.
final class CurlProtocol: URLProtocol {
    /// The loop retains the transfer while it runs, and the transfer retains this object.
    private weak var transfer: CurlTransfer?

    override class func canInit(with request: URLRequest) -> Bool {
        let scheme = request.url?.scheme?.lowercased()
        return scheme == "http" || scheme == "https"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let transfer = CurlTransfer(self, owner: task?.delegate as? any TransferOwner)
        self.transfer = transfer
        if let loop = CurlLoop.shared { return loop.start(transfer) }
        transfer.end(
            URLError(.unknown, sentence: "no request is possible: libcurl can't be started, or no file descriptor is free"))
    }

    /// Makes no call to the client after it returns: Foundation ends the process on a call for a finished task.
    override func stopLoading() {
        guard let transfer else { return }
        transfer.stop()
        CurlLoop.shared?.end(transfer)
    }
}
#endif
