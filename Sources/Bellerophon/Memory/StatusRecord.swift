public import Foundation
import StatusModel

/// A status as it is kept.
public struct StatusRecord: Codable, Equatable, Sendable {
    public var isInactive: Bool
    public var requiresUpdate: Bool
    public var interval: Double
    public var message: String?
    public var requiredVersion: String?
    public var link: String?
    /// When the stage began, by the wall clock.
    public var since: Date
    /// The installed version at that time: a required update ends with a new version.
    public var appVersion: String?
    /// When the server confirmed the status last, by the wall clock; nil counts as ``since``.
    public var confirmedAt: Date?
    /// When the server published it, by the server's clock.
    public var publishedAt: Date?
    /// The latest date of publication before that which counted.
    public var previousDate: Date?
    /// Whether the status has no date itself: ``publishedAt`` is that of the status that it replaced.
    public var isUndated: Bool?
    /// The highest serial of the signed statuses that counted.
    public var serial: Int64?
    /// The signed document with that serial as it came, to be verified again. It is the status itself unless
    /// ``isGiven``.
    public var signed: String?
    /// Whether the app gave the status itself, where else signed ones only count.
    public var isGiven: Bool?
    /// Whether what is kept now has no say: it is not believed. Not kept itself.
    var replacesAnything = false
    /// The later date in spite of which this counts: what is kept with that date is replaced. Not kept itself.
    var overruledDate: Date?

    private enum CodingKeys: String, CodingKey {
        case isInactive, requiresUpdate, interval, message, requiredVersion, link, since, appVersion, confirmedAt, publishedAt
        case previousDate, isUndated, serial, signed, isGiven
    }

    public init(
        _ document: StatusDocument, since: Date, appVersion: String?, confirmedAt: Date? = nil, publishedAt: Date? = nil,
        proof: StatusProof? = nil
    ) {
        isInactive = document.isInactive
        requiresUpdate = document.requiresUpdate
        interval = document.interval.isFinite ? document.interval : 0
        message = document.message
        requiredVersion = document.requiredVersion
        link = document.link
        self.since = since
        self.appVersion = appVersion
        self.confirmedAt = confirmedAt
        self.publishedAt = publishedAt
        serial = proof?.serial
        signed = proof.map { String(decoding: $0.signed, as: UTF8.self) }
    }

    /// The document as it counts for an installed version, its text sanitised anew: a file can be edited.
    ///
    /// A new version ends a required update, but not a pause that stood behind it.
    public func document(for version: String?) -> StatusDocument {
        let document = StatusDocument(
            isInactive: isInactive, requiresUpdate: requiresUpdate, interval: interval, message: message,
            requiredVersion: requiredVersion, link: link
        )
        return counting(document, for: version)
    }

    /// What is known from an earlier run.
    /// - Parameters:
    ///   - version: the installed one.
    ///   - reader: verifies a signed document again: the key that signed it may be trusted no longer.
    ///   - date: the present by the wall clock. A record from the future is as old as one of now.
    func kept(for version: String?, reader: StatusReader, at date: Date) throws(StatusError) -> RestoredStatus {
        let age = Duration.seconds(min(max(date.timeIntervalSince(confirmedAt ?? since), 0), 1e10))
        guard reader.verifier != nil, isGiven != true else {
            var kept = RestoredStatus(document(for: version), age: age, publishedAt: publishedAt)
            (kept.previousDate, kept.isUndated) = (previousDate, isUndated == true)
            return kept
        }
        guard let signed else { throw StatusError(.untrusted(.unsigned)) }
        let reply = try Self.verified(signed, reader).get()
        return RestoredStatus(counting(reply.document, for: version), age: age, proof: reply.receipt?.proof)
    }

    /// What the signed document says, whatever the app gave since and whatever the installed version; nil where there is
    /// none, or it is not believed.
    func signedReply(_ reader: StatusReader) -> StatusReply? {
        signed.flatMap { try? Self.verified($0, reader).get() }
    }

    private static func verified(_ signed: String, _ reader: StatusReader) -> Result<StatusReply, StatusError> {
        reader.decode(Data(signed.utf8), ExchangeMetadata(), at: nil)
    }

    private func counting(_ document: StatusDocument, for version: String?) -> StatusDocument {
        guard document.requiresUpdate, version != appVersion else { return document }
        return StatusDocument(
            isInactive: document.isInactive, requiresUpdate: false, interval: document.interval,
            message: document.message, requiredVersion: document.requiredVersion, link: document.link
        )
    }

    /// The record as it is written in the place of the other: what was the highest serial once stays it.
    func succeeding(_ other: StatusRecord?) -> StatusRecord {
        guard !replacesAnything, let known = other?.serial else { return self }
        guard known > serial ?? .min else { return self }
        var record = self
        record.serial = known
        if isGiven == true { record.signed = other?.signed }
        return record
    }

    /// Whether this is to replace the other: unless the server published it earlier, by its serial or else its date, or
    /// signed another status with the same serial. The local clock decides nothing here, since it can be set.
    func replaces(_ other: StatusRecord) -> Bool {
        if replacesAnything { return true }
        if isSigned, other.isSigned, let serial, let known = other.serial {
            return serial == known ? document(for: appVersion) == other.document(for: other.appVersion) : serial > known
        }
        if serial == nil, other.serial == nil, let publishedAt, let known = other.publishedAt {
            return publishedAt >= known || known == overruledDate
        }
        return true
    }

    /// Whether the status itself is signed.
    private var isSigned: Bool { signed != nil && isGiven != true }
}
