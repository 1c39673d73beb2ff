import Digests
import Foundation

/// A source server's file that does not match the server's meta document, or is larger than the resource may be.
///
/// It is not fetched again immediately: the same server would send the same bytes, possibly a gigabyte. A different
/// version, digest or size means a different file.
struct DamagedFile: Equatable, Sendable {
    let version: Int64
    let digest: Digest?
    let size: Int64?
    private(set) var reason: CloudBoxError.Reason
    private(set) var failures = 1
    private(set) var restsUntil: ContinuousClock.Instant

    /// The wait after the first failure. Each further failure multiplies it by four, up to ``longestRest``.
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

    /// Records that the file arrived damaged again.
    mutating func failed(_ reason: CloudBoxError.Reason, at now: ContinuousClock.Instant) {
        self.reason = reason
        restsUntil = now + min(Self.firstRest * (1 << (2 * min(failures, 10))), Self.longestRest)
        failures += 1
    }
}
