import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension BarricadeServer {
    /// An ephemeral configuration without a cache; this barricade handles the requests of its sessions.
    ///
    /// Each access creates a new configuration, which can be modified.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        protect(configuration)
        return configuration
    }

    /// Installs this barricade in a configuration. It applies to sessions that are created afterwards.
    ///
    /// A session copies its configuration, so existing sessions are unaffected.
    public func protect(_ configuration: URLSessionConfiguration) {
        unprotect(configuration)
        configuration.protocolClasses = [protocolClass.type] + (configuration.protocolClasses ?? [])
    }

    /// Removes this barricade from a configuration. Existing sessions are unaffected.
    ///
    /// To switch the barricade off for existing sessions, set ``isEnabled`` to false.
    public func unprotect(_ configuration: URLSessionConfiguration) {
        let type = protocolClass.type
        configuration.protocolClasses = configuration.protocolClasses?.filter { $0 != type }
    }

    /// Installs this barricade in `URLSession.shared`, for the whole process.
    ///
    /// On Linux the shared session reads the registered classes once, when it is created (measured). Call this method
    /// before the first use of the shared session. On Apple's platforms it works at any time. Other sessions are
    /// unaffected: create them with ``configuration``, or pass their configuration to ``protect(_:)``.
    /// - Returns: whether `URLProtocol` registered the class.
    @discardableResult
    public func protectSharedSession() -> Bool {
        URLProtocol.registerClass(protocolClass.type)
    }

    /// Removes this barricade from `URLSession.shared`.
    ///
    /// On Linux a shared session that is in use keeps the barricade; to reach the network, also set ``isEnabled`` to false.
    public func unprotectSharedSession() {
        URLProtocol.unregisterClass(protocolClass.type)
    }
}
