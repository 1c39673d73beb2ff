import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLProtocol` class for one barricade, created at run time.
///
/// A session configuration contains classes, not objects. On Linux a `URLProtocol` object can read neither its session
/// nor `httpAdditionalHeaders` (measured). Each barricade therefore gets its own specialisation of one generic class,
/// and a table maps the class to the barricade. No header is added to any request.
struct BarricadeClass: Sendable {
    let type: URLProtocol.Type

    init() {
        let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        type = Self.specialisation(number, End.self)
    }

    func bind(to barricade: BarricadeServer) {
        Self.owners.withLock { $0[ObjectIdentifier(type)] = WeakBarricade(barricade) }
    }

    func unbind() {
        _ = Self.owners.withLock { $0.removeValue(forKey: ObjectIdentifier(type)) }
    }

    /// The barricade of a class; nil after its deallocation.
    static func owner(of type: URLProtocol.Type) -> BarricadeServer? {
        owners.withLock { $0[ObjectIdentifier(type)]?.barricade }
    }

    private static let count = Atomic(0)
    private static let owners = Mutex<[ObjectIdentifier: WeakBarricade]>([:])

    private struct WeakBarricade: Sendable {
        private(set) weak var barricade: BarricadeServer?
        init(_ barricade: BarricadeServer) { self.barricade = barricade }
    }

    private enum End {}
    private enum Zero<Rest> {}
    private enum One<Rest> {}

    /// A class whose tag encodes the number's binary digits, one level per digit, so that each number gives a new class.
    private static func specialisation<Digits>(_ number: Int, _: Digits.Type) -> URLProtocol.Type {
        if number == 0 { return BarricadeProtocol<Digits>.self }
        return number.isMultiple(of: 2)
            ? specialisation(number >> 1, Zero<Digits>.self)
            : specialisation(number >> 1, One<Digits>.self)
    }
}

/// Handles the requests of one barricade's sessions. The tag makes the class distinct for each barricade.
final class BarricadeProtocol<Tag>: URLProtocol {
    private var delivery: ReplyDelivery?

    /// Accepts all requests after the barricade's deallocation: they fail instead of reaching the network.
    override class func canInit(with request: URLRequest) -> Bool {
        BarricadeClass.owner(of: self)?.handles(request) ?? true
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
