#if Server
import Foundation
import Synchronization

/// When the TLS certificate that new connections get ends.
final class CertificateExpiry: Sendable {
    private let end = Mutex<Date?>(nil)

    /// Nil without TLS.
    var date: Date? { end.withLock { $0 } }

    func set(_ date: Date?) {
        end.withLock { $0 = date }
    }
}
#endif
