import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Barricade {
    /// A configuration without cache, cookies or credentials whose sessions this barricade answers.
    ///
    /// Every call makes a new one, free to change.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        protect(configuration)
        return configuration
    }

    /// Puts this barricade in front of the sessions made from a configuration from now on.
    ///
    /// A session copies its configuration: one that exists already does not change.
    public func protect(_ configuration: URLSessionConfiguration) {
        unprotect(configuration)
        configuration.protocolClasses = [protocolClass.type] + (configuration.protocolClasses ?? [])
    }

    /// Takes this barricade away from the sessions made from a configuration from now on.
    ///
    /// To switch off one that sessions have already, set ``isEnabled``.
    public func unprotect(_ configuration: URLSessionConfiguration) {
        let type = protocolClass.type
        configuration.protocolClasses = configuration.protocolClasses?.filter { $0 != type }
    }

    /// Puts this barricade in front of `URLSession.shared`, for the whole process.
    ///
    /// On Linux this works only before the shared session is first used: it takes the registered classes when it is
    /// made, and nothing afterwards reaches it (measured). Call it first thing. On Apple's platforms it works at any
    /// time. Sessions of an app's own are never reached by it: give them ``configuration``, or ``protect(_:)`` theirs.
    /// - Returns: whether the class was taken.
    @discardableResult
    public func protectSharedSession() -> Bool {
        URLProtocol.registerClass(protocolClass.type)
    }

    /// Takes this barricade away from `URLSession.shared`.
    ///
    /// On Linux a shared session that is in use keeps it; set ``isEnabled`` to false as well to reach the network.
    public func unprotectSharedSession() {
        URLProtocol.unregisterClass(protocolClass.type)
    }
}
