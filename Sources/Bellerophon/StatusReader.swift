import Foundation

/// Reads exchanges as statuses: the one rule for a real server, a simulated one and a timeline that is verified.
public struct StatusReader: Sendable {
    /// The last document that came with an entity tag.
    public struct Known: Equatable, Sendable {
        public let entityTag: String
        let document: StatusDocument
        let excerpt: String
        let publishedAt: Date?
    }

    /// What a request may ask the server to compare with; nil where no answer had an entity tag.
    public private(set) var known: Known?

    public init() {}

    /// What an exchange says of the status. A valid document is kept for a later answer of 304.
    /// - Parameter earlier: what was ``known`` when the request was made.
    public mutating func read(_ exchange: StatusExchange, earlier: Known?) -> Result<StatusReply, StatusError> {
        var receipt = exchange.receipt
        if let reason = exchange.failure { return .failure(StatusError(reason, receipt: receipt)) }
        guard let code = receipt.httpStatus else {
            // The transport takes a redirect to nowhere, and a head with control characters, for an end without one.
            let code = URLError.badServerResponse.rawValue
            return .failure(StatusError(.transport(code: code, message: "the server's answer makes no sense"), receipt: receipt))
        }
        switch code {
        case 200..<300:
            return decode(exchange)
        case 304:
            guard let earlier else { return .failure(StatusError(.notModifiedWithoutDocument, receipt: receipt)) }
            receipt.isNotModified = true
            receipt.excerpt = earlier.excerpt
            // A cache may leave the date out of a 304; it is the known document's then.
            receipt.publishedAt = receipt.publishedAt ?? earlier.publishedAt
            return .success(StatusReply(earlier.document, receipt: receipt))
        default:
            return .failure(StatusError(.httpStatus(code), receipt: receipt))
        }
    }

    /// A pushed document larger than that is none, as with a polled one's default limit, in bytes.
    public static let pushLimit = 64 * 1024

    /// What a pushed event says of the status, by the same rules as an answer's body.
    public static func read(_ event: StreamEvent) -> Result<StatusReply, StatusError> {
        let receipt = StatusReceipt(
            bytes: event.data.count, excerpt: StatusReceipt.excerpt(of: event.data), lastByteAt: event.receivedAt,
            isPushed: true, eventID: event.id, publishedAt: event.publishedAt
        )
        guard event.data.count <= pushLimit else {
            return .failure(StatusError(.tooLarge(limit: pushLimit), receipt: receipt))
        }
        do {
            return .success(StatusReply(try StatusDocument(json: event.data), receipt: receipt))
        } catch {
            return .failure(StatusError(.notStatusDocument(error.description), receipt: receipt))
        }
    }

    private mutating func decode(_ exchange: StatusExchange) -> Result<StatusReply, StatusError> {
        let receipt = exchange.receipt
        do {
            let document = try StatusDocument(json: exchange.body)
            known = exchange.entityTag.map {
                Known(entityTag: $0, document: document, excerpt: receipt.excerpt, publishedAt: receipt.publishedAt)
            }
            return .success(StatusReply(document, receipt: receipt))
        } catch {
            return .failure(StatusError(.notStatusDocument(error.description), receipt: receipt))
        }
    }
}
