import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers the requests of one barricade's sessions. The tag makes each barricade's class a different one.
final class BarricadeProtocol<Tag>: URLProtocol {
    private var delivery: ReplyDelivery?

    /// Where the barricade is gone, its requests are still taken, and fail: nothing may slip through to the network.
    override class func canInit(with request: URLRequest) -> Bool {
        BarricadeClass.owner(of: self)?.takes(request) ?? true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let delivery = ReplyDelivery(self)
        self.delivery = delivery
        delivery.start()
    }

    /// Not always called after a normal end on Linux (measured), so that an end is noted by the delivery itself.
    override func stopLoading() {
        delivery?.cancel()
        delivery = nil
    }
}
