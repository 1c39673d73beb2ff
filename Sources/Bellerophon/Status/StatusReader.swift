public import Foundation
import StatusModel

/// Reads exchanges as statuses: the one rule for a real server, a simulated one and a timeline that is verified.
public struct StatusReader: Sendable {
    /// The last document that came with an entity tag.
    public struct Known: Equatable, Sendable {
        public let entityTag: String
        let body: Data
        let excerpt: String
        let published: PublicationDate
    }

    /// What a request may ask the server to compare with; nil where no answer had an entity tag.
    public private(set) var known: Known?
    /// Says which statuses may be believed; nil believes all.
    public let verifier: (any StatusVerifier)?

    public init(verifier: (any StatusVerifier)? = nil) {
        self.verifier = verifier
    }

    /// What an exchange says of the status. A valid document is kept for a later answer of 304.
    /// - Parameters:
    ///   - earlier: what was ``known`` when the request was made.
    ///   - date: the present by the wall clock, for the times between which a signed document holds.
    public mutating func read(
        _ exchange: StatusExchange, earlier: Known?, at date: Date = Date()
    ) -> Result<StatusReply, StatusError> {
        let receipt = exchange.receipt
        if let reason = exchange.failure { return .failure(StatusError(reason, receipt: receipt)) }
        guard let code = receipt.httpStatus else {
            // The transport takes a redirect to nowhere, and a head with control characters, for an end without one.
            let code = URLError.badServerResponse.rawValue
            return .failure(StatusError(.transport(code: code, message: "the server's answer makes no sense"), receipt: receipt))
        }
        switch code {
        case 200..<300: return take(exchange, at: date)
        case 304: return confirm(earlier, receipt, at: date)
        default: return .failure(StatusError(.httpStatus(code), receipt: receipt))
        }
    }

    /// A pushed document larger than that is none, as with a polled one's default limit, in bytes.
    public static let pushLimit = 64 * 1024

    /// What a pushed event says of the status, by the same rules as an answer's body.
    public func read(_ event: StreamEvent, at date: Date = Date()) -> Result<StatusReply, StatusError> {
        var receipt = ExchangeMetadata(
            bytes: event.data.count, excerpt: ExchangeMetadata.excerpt(of: event.data), lastByteAt: event.receivedAt,
            isPushed: true, eventID: event.id
        )
        receipt.published = event.published
        guard event.data.count <= Self.pushLimit else {
            return .failure(StatusError(.tooLarge(limit: Self.pushLimit), receipt: receipt))
        }
        return decode(event.data, receipt, at: date)
    }

    /// What bytes say of the status, if they may be believed.
    /// - Parameter date: nil leaves the times of a signed document unchecked, as for one that was kept.
    func decode(_ body: Data, _ receipt: ExchangeMetadata, at date: Date?) -> Result<StatusReply, StatusError> {
        var receipt = receipt
        do {
            var json = body
            if let verifier {
                let verified = try verifier.verify(status: body, at: date)
                json = verified.document
                receipt.proof = verified.proof
                receipt.excerpt = ExchangeMetadata.excerpt(of: json)
            }
            return .success(StatusReply(try StatusDocument(json: json), receipt: receipt))
        } catch let problem as TrustError {
            return .failure(StatusError(.untrusted(problem), receipt: receipt))
        } catch {
            return .failure(StatusError(.notStatusDocument("\(error)"), receipt: receipt))
        }
    }

    private mutating func take(_ exchange: StatusExchange, at date: Date) -> Result<StatusReply, StatusError> {
        let result = decode(exchange.body, exchange.receipt, at: date)
        guard case .success = result else { return result }
        // A tag is not signed: one that somebody has put on an old document would have the server say "not modified" of a
        // newer one, for as long as the old one holds. So a signed document is asked for whole each time.
        known =
            verifier != nil
            ? nil
            : exchange.entityTag.map {
                Known(
                    entityTag: $0, body: exchange.body, excerpt: exchange.receipt.excerpt, published: exchange.receipt.published)
            }
        return result
    }

    private func confirm(_ earlier: Known?, _ receipt: ExchangeMetadata, at date: Date) -> Result<StatusReply, StatusError> {
        guard let earlier else { return .failure(StatusError(.notModifiedWithoutDocument, receipt: receipt)) }
        var receipt = receipt
        receipt.isNotModified = true
        receipt.excerpt = earlier.excerpt
        // A cache may leave the date out of a 304; it is the known document's then.
        if receipt.published == .absent { receipt.published = earlier.published }
        return decode(earlier.body, receipt, at: date)
    }
}
