import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Handles the requests of one barricade's sessions. The tag makes the class distinct for each barricade.
final class BarricadeProtocol<Tag>: URLProtocol {
    private var delivery: ReplyDelivery?

    /// Accepts all requests after the barricade's deallocation: they fail instead of reaching the network.
    override class func canInit(with request: URLRequest) -> Bool {
        BarricadeClass.owner(of: self)?.takes(request) ?? true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let delivery = ReplyDelivery(self)
        self.delivery = delivery
        delivery.start()
    }

    /// On Linux this is not always called after a normal end (measured), so the delivery records its end itself.
    override func stopLoading() {
        delivery?.cancel()
        delivery = nil
    }
}
