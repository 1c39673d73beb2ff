import BellerophonBase
public import Foundation
import HTTPTransport
public import StatusModel

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Where a ``CloudBox`` keeps resources, whom it asks for them, and within which bounds.
public struct CloudBoxConfiguration: Sendable {
    /// The bounds of what is received and kept.
    public struct Limits: Equatable, Sendable {
        /// Bytes of one resource. Default: 4 GiB.
        public var resourceBytes: Int64
        /// Bytes of all cached resources together. Default: 16 GiB.
        public var totalBytes: Int64
        /// Bytes of a meta document. Default: 64 KiB.
        public var metaBytes: Int64
        /// Transfers at once. Default: 4.
        public var transfers: Int
        /// The longest time without a byte, before the answer and within it; there is no limit on the whole, so a slow
        /// line may take as long as it needs. Default: 20 s.
        public var silence: Duration
        /// Redirects to the same origin. Default: 3.
        public var redirects: Int
        /// How often a transfer that was cut, and has brought something, goes on before the next server is asked.
        /// Default: 5.
        public var resumptions: Int

        public init(
            resourceBytes: Int64 = 4 << 30, totalBytes: Int64 = 16 << 30, metaBytes: Int64 = 64 << 10,
            transfers: Int = 4, silence: Duration = .seconds(20), redirects: Int = 3, resumptions: Int = 5
        ) {
            self.resourceBytes = max(resourceBytes, 0)
            self.totalBytes = max(totalBytes, 0)
            self.metaBytes = max(metaBytes, 0)
            self.transfers = min(max(transfers, 1), 16)
            self.silence = min(max(silence, .milliseconds(10)), .seconds(86400))
            self.redirects = max(redirects, 0)
            self.resumptions = max(resumptions, 0)
        }

        /// The bounds of one exchange.
        var ofExchange: HTTPLimits { HTTPLimits(silence: silence, redirects: .follow(limit: redirects)) }

        /// The same within the bounds of the initialiser: whoever sets a field may set anything.
        var bounded: Limits {
            Limits(
                resourceBytes: resourceBytes, totalBytes: totalBytes, metaBytes: metaBytes, transfers: transfers,
                silence: silence, redirects: redirects, resumptions: resumptions
            )
        }
    }

    /// Where synced resources are kept: `FOLDER/NAME/VERSION`. Made when it is needed; processes may share it.
    public var folder: URL
    /// Asked for every resource that has no servers of its own: `http` or `https` addresses, with a path where the
    /// server is not at the root.
    public var servers: [URL]
    /// Between a server's address and a resource's name. Default: the original's `GBCloudBoxResourcesMeta`.
    public var metaPath: String
    /// What the app ships.
    public var bundled: any BundledResources
    public var limits: Limits
    /// Who vouches for manifests. With one, the signed manifest is asked for (``metaPath`` with `.jws` at its end), nothing
    /// that is not signed, or has no SHA-256, is installed, and a file counts only as its manifest describes it. Default:
    /// nobody, and the original's protocol. What the folder has already is used as before.
    public var verifier: (any ManifestVerifier)?
    /// Sent with every request to a source server itself, such as an authorization; never to another origin.
    public var headers: [String: String]
    /// The base of the session, made anew for each ``CloudBox``; its cache and cookies are turned off. A barricade's
    /// configuration answers in place of the network.
    public var sessionConfiguration: @Sendable () -> URLSessionConfiguration
    /// The present by the wall clock, for the times between which a manifest holds.
    var date: @Sendable () -> Date = { Date() }

    public init(
        folder: URL, servers: [URL] = [], bundled: any BundledResources = .none,
        metaPath: String = "GBCloudBoxResourcesMeta", limits: Limits = Limits(),
        verifier: (any ManifestVerifier)? = nil, headers: [String: String] = [:],
        sessionConfiguration: @escaping @Sendable () -> URLSessionConfiguration = { .ephemeral }
    ) {
        self.folder = folder
        self.servers = servers
        self.bundled = bundled
        self.metaPath = metaPath
        self.limits = limits
        self.verifier = verifier
        self.headers = headers
        self.sessionConfiguration = sessionConfiguration
    }

    /// The folder for an app's resources: `$XDG_CACHE_HOME/NAME/GBCloudBoxResources`, else below `~/.cache`
    /// (XDG Base Directory Specification).
    /// - Parameter name: a folder's name, such as the app's.
    public static func userFolder(
        _ name: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        UserFolder.cache.url(environment).appendingPathComponent(name).appendingPathComponent("GBCloudBoxResources")
    }
}
