import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLProtocol` class of a barricade's own, made while the program runs.
///
/// A session is given classes, not objects, and on Linux a loading object can't tell which session it works for:
/// neither its session nor `httpAdditionalHeaders` is visible to it (measured). So every barricade gets another
/// specialisation of one generic class, and the class itself says whose it is. No header is added to any request.
struct BarricadeClass: Sendable {
    let type: URLProtocol.Type

    init() {
        let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        type = Self.specialisation(number, End.self)
    }

    func bind(to barricade: Barricade) {
        Self.owners.withLock { $0[ObjectIdentifier(type)] = WeakBarricade(barricade) }
    }

    func unbind() {
        _ = Self.owners.withLock { $0.removeValue(forKey: ObjectIdentifier(type)) }
    }

    /// The barricade that a class was made for; nil once it is gone.
    static func owner(of type: URLProtocol.Type) -> Barricade? {
        owners.withLock { $0[ObjectIdentifier(type)]?.barricade }
    }

    private static let count = Atomic(0)
    private static let owners = Mutex<[ObjectIdentifier: WeakBarricade]>([:])

    private struct WeakBarricade: Sendable {
        private(set) weak var barricade: Barricade?
        init(_ barricade: Barricade) { self.barricade = barricade }
    }

    private enum End {}
    private enum Zero<Rest> {}
    private enum One<Rest> {}

    /// The class tagged with a number's binary digits: a new number is a new class, with a tag as deep as its digits.
    private static func specialisation<Digits>(_ number: Int, _: Digits.Type) -> URLProtocol.Type {
        if number == 0 { return BarricadeProtocol<Digits>.self }
        return number.isMultiple(of: 2)
            ? specialisation(number >> 1, Zero<Digits>.self)
            : specialisation(number >> 1, One<Digits>.self)
    }
}
