import Digests
import Foundation

/// A file that a source server offers and that does not fit what the server says of it.
///
/// It is not fetched again at once: the same server would send the same bytes, and there may be a gigabyte of them.
/// Another version, digest or size is another file.
struct DamagedFile: Equatable, Sendable {
    let version: Int64
    let digest: Digest?
    let size: Int64?
    private(set) var reason: CloudBoxError.Reason
    private(set) var failures = 1
    private(set) var restsUntil: ContinuousClock.Instant

    /// The wait after the first failure; it is four times as long after each further one.
    static let firstRest: Duration = .seconds(60)
    static let longestRest: Duration = .seconds(6 * 3600)

    init(_ meta: ResourceMeta, _ reason: CloudBoxError.Reason, at now: ContinuousClock.Instant) {
        (version, digest, size) = (meta.version, meta.digest, meta.size)
        self.reason = reason
        restsUntil = now + Self.firstRest
    }

    func isFile(of meta: ResourceMeta) -> Bool {
        version == meta.version && digest == meta.digest && size == meta.size
    }

    /// The file came damaged once more.
    mutating func failed(_ reason: CloudBoxError.Reason, at now: ContinuousClock.Instant) {
        self.reason = reason
        restsUntil = now + min(Self.firstRest * (1 << (2 * min(failures, 10))), Self.longestRest)
        failures += 1
    }
}
