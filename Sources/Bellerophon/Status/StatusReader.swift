import Foundation
import StatusModel

/// Decodes exchanges and stream events into statuses, by the same rules for real servers, barricades and verified
/// timelines.
package struct StatusReader: Sendable {
    /// The last document that came with an entity tag.
    package struct Known: Equatable, Sendable {
        /// The entity tag, as the server sent it.
        package let entityTag: String
        let body: Data
        let published: PublicationDate
    }

    /// The document for the next conditional request; nil if the last valid reply had no entity tag or signatures are
    /// required.
    package private(set) var known: Known?
    /// Verifies signed statuses; nil accepts unsigned statuses.
    package let verifier: (any StatusVerifier)?

    /// Creates a reader. With a verifier it accepts signed statuses only.
    package init(verifier: (any StatusVerifier)? = nil) {
        self.verifier = verifier
    }

    /// Decodes an exchange. A valid document is kept for a later 304 reply.
    /// - Parameters:
    ///   - exchange: a finished exchange.
    ///   - earlier: the value of ``known`` when the request was made.
    ///   - date: the current wall-clock time, for the validity period of a signed document.
    package mutating func read(
        _ exchange: StatusExchange, earlier: Known?, at date: Date = Date()
    ) -> Result<StatusReply, StatusError> {
        let metadata = exchange.metadata
        if let reason = exchange.failure { return .failure(StatusError(reason, metadata: metadata)) }
        guard let code = metadata.httpStatus else {
            // For a redirect without a target, or a head with control characters, the transport reports neither a head
            // nor an error.
            let code = URLError.badServerResponse.rawValue
            return .failure(
                StatusError(.transport(code: code, message: "the head of the reply is not valid"), metadata: metadata))
        }
        switch code {
        case 200..<300: return accept(exchange, at: date)
        case 304: return confirm(earlier, metadata, at: date)
        default: return .failure(StatusError(.httpStatus(code), metadata: metadata))
        }
    }

    /// The most bytes of a pushed document: 64 KiB, the default limit of a polled document.
    package static let pushLimit = 64 * 1024

    /// Decodes a pushed event by the rules for the body of a reply.
    package func read(_ event: StreamEvent, at date: Date = Date()) -> Result<StatusReply, StatusError> {
        var metadata = ExchangeMetadata(
            bytes: event.data.count, excerpt: ExchangeMetadata.excerpt(of: event.data), lastByteAt: event.receivedAt,
            isPushed: true, eventID: event.id
        )
        metadata.published = event.published
        metadata.serverDate = event.serverDate
        guard event.data.count <= Self.pushLimit else {
            return .failure(StatusError(.tooLarge(limit: Self.pushLimit), metadata: metadata))
        }
        return decode(event.data, metadata, at: date)
    }

    /// Decodes and verifies a body.
    /// - Parameter date: nil skips the validity period of a signed document, as for a kept one.
    package func decode(
        _ body: Data, _ metadata: ExchangeMetadata = ExchangeMetadata(), at date: Date?
    ) -> Result<StatusReply, StatusError> {
        var metadata = metadata
        do {
            var json = body
            if let verifier {
                let verified = try verifier.verify(status: body, at: date)
                json = verified.document
                metadata.proof = verified.proof
                metadata.excerpt = ExchangeMetadata.excerpt(of: json)
            }
            return .success(StatusReply(try StatusDocument(json: json), metadata: metadata))
        } catch let problem as TrustError {
            var error = StatusError(.untrusted(problem), metadata: metadata)
            if case .futureDated = problem, let date { error.early = early(body, metadata, at: date) }
            return .failure(error)
        } catch {
            return .failure(StatusError(.notStatusDocument("\(error)"), metadata: metadata))
        }
    }

    /// A signed document that is ahead of this machine's clock, if it is valid by the server's clock.
    private func early(_ body: Data, _ metadata: ExchangeMetadata, at date: Date) -> StatusReply? {
        guard let serverDate = metadata.serverDate, serverDate > date,
            case .success(var reply) = decode(body, metadata, at: serverDate)
        else {
            return nil
        }
        reply.clockLag = .seconds(serverDate.timeIntervalSince(date))
        return reply
    }

    private mutating func accept(_ exchange: StatusExchange, at date: Date) -> Result<StatusReply, StatusError> {
        let result = decode(exchange.body, exchange.metadata, at: date)
        guard case .success = result else { return result }
        // Entity tags are not signed. An attacker could put the tag of a newer document on an old one, and the server
        // would then reply 304 to it. Signed documents are therefore always requested in full.
        known = exchange.entityTag.flatMap { tag in
            verifier == nil ? Known(entityTag: tag, body: exchange.body, published: exchange.metadata.published) : nil
        }
        return result
    }

    private func confirm(_ earlier: Known?, _ metadata: ExchangeMetadata, at date: Date) -> Result<StatusReply, StatusError> {
        guard let earlier else { return .failure(StatusError(.notModifiedWithoutDocument, metadata: metadata)) }
        var metadata = metadata
        metadata.isNotModified = true
        metadata.excerpt = ExchangeMetadata.excerpt(of: earlier.body)
        // A cache may omit the date from a 304; the date of the known document then applies.
        if metadata.published == .absent { metadata.published = earlier.published }
        return decode(earlier.body, metadata, at: date)
    }
}
