#if os(Linux)
import Foundation

/// The library that does TLS for the system's transport.
package enum TLSLibrary {
    /// Keeps it whole until the process is gone; has to come before the first session.
    ///
    /// OpenSSL takes itself apart in `exit`, while the transport's thread may be in the midst of a handshake or a digest:
    /// a program that quit then ended with a crash. It leaves that to the system where it is told so before anything else
    /// (OPENSSL_init_crypto(3)). Where the transport uses another library, or the app has used OpenSSL before, this does
    /// nothing.
    package static func keep() { _ = isKept }

    private static let isKept: Bool = {
        typealias Initialise = @convention(c) (UInt64, OpaquePointer?) -> CInt
        guard let initialise = dlsym(nil, "OPENSSL_init_crypto") else { return false }
        let noCleaning: UInt64 = 0x0008_0000
        return unsafeBitCast(initialise, to: Initialise.self)(noCleaning, nil) == 1
    }()
}
#endif
