import Foundation
import Synchronization

/// When the TLS certificate for new connections expires; nil without TLS.
final class CertificateExpiry: Sendable {
    private let stored = Mutex<Date?>(nil)

    var date: Date? { stored.withLock { $0 } }

    func set(_ date: Date?) { stored.withLock { $0 = date } }
}
