import Bellerophon
import Foundation
import TestSupport

/// Documents of every stage, interval and message size, created once. Other tests cover sanitising.
struct SoakDocuments {
    /// Retry intervals in seconds: within the bounds, at them, and far beyond.
    static let intervals: [Double] = [
        -.infinity, -1e300, -5, -0.0, 0, 0.25, 1, 1, 1.5, 2, 2, 5, 5, 10, 15, 30, 60, 600, 3599, 3600, 3601, 1e9, .infinity, .nan,
    ]
    private static let sizes = [0, 1, 2, 40, 200, 1000, 4095, 4096, 4097, 20_000]

    /// A document and the event that pushes it; nil if JSON cannot represent its number.
    struct Entry {
        let document: StatusDocument
        let event: Data?
    }

    let entries: [Entry]

    init(using chance: inout SplitMix64) {
        entries = Self.intervals.flatMap { interval in
            [(true, false), (false, false), (false, true), (true, true)].map { killed, update in
                let size = Self.sizes.randomElement(using: &chance) ?? 0
                let message = String(String(repeating: "Back soon – é 漢 ", count: size / 16 + 1).prefix(size))
                return Self.entry(killed: killed, update: update, interval: interval, message: message)
            }
        }
    }

    private static func entry(killed: Bool, update: Bool, interval: Double, message: String) -> Entry {
        let event =
            interval.isFinite
            ? #"{"apiInactive":\#(killed),"forceUpdate":\#(update),"retryInterval":\#(interval),"userMessage":"\#(message)"}"#
            : nil
        // A pushed document is read from its JSON, so the entry uses the same document.
        let read = event.flatMap { try? StatusDocument(json: Data($0.utf8)) }
        let document = read ?? StatusDocument(isInactive: killed, requiresUpdate: update, interval: interval, message: message)
        return Entry(document: document, event: event.map { Data($0.utf8) })
    }
}

/// Errors of all reasons for a failed check.
enum SoakErrors {
    static let all: [StatusError.Reason] = [
        .transport(code: -1004, message: "connection refused"), .transport(code: -1005, message: "reset"),
        .timedOut(after: .seconds(10)), .httpStatus(404), .httpStatus(429), .httpStatus(500), .httpStatus(503),
        .notModifiedWithoutDocument, .notStatusDocument("no JSON"), .untrusted(.unsigned), .tooLarge(limit: 65536),
        .redirectRefused("to another origin"), .noStatus, .unusableURL("no host"), .other("the app's own"),
    ]
    /// Values of `Retry-After` in seconds; nil for no field.
    static let retryAfters: [Int?] = [nil, nil, nil, 0, 1, 5, 60, 3600, 1_000_000]

    static func random(using chance: inout SplitMix64) -> StatusError {
        let reason = all.randomElement(using: &chance) ?? .noStatus
        let asked = retryAfters.randomElement(using: &chance) ?? nil
        return StatusError(reason, metadata: ExchangeMetadata(retryAfter: asked.map { .seconds($0) }))
    }

    static let streams: [StatusError.Reason] = [
        .stream(.ended), .stream(.ended), .stream(.ended), .stream(.otherMediaType("text/html")),
        .stream(.tooLarge(limit: 262_144)),
        .stream(.flood), .transport(code: -1004, message: "connection refused"), .httpStatus(503), .httpStatus(500),
    ]
}
