import BellerophonBase
public import Foundation
import HTTPTransport
public import StatusModel

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The folder, the source servers and the limits of a ``CloudBoxClient``.
public struct CloudBoxConfiguration: Sendable {
    /// Limits on received and stored data.
    public struct Limits: Equatable, Sendable {
        /// The maximum size of a resource that was registered without a limit of its own, in bytes. It is enforced while bytes
        /// arrive, whatever the server announced. Default: 64 MiB.
        public var resourceBytes: Int64
        /// The maximum size of all cached resources together, in bytes. Default: 1 GiB.
        public var totalBytes: Int64
        /// The maximum size of a meta document in bytes. Default: 64 KiB.
        public var metaBytes: Int64
        /// The maximum number of concurrent transfers, 1 to 16. Default: 4.
        public var transfers: Int
        /// The maximum time without a byte, before and during a response; 10 ms to 24 h. The total time is unlimited,
        /// for slow connections. Default: 20 s.
        public var silence: Duration
        /// The maximum number of redirects, which must stay on the same origin. Default: 3.
        public var redirects: Int
        /// How often an interrupted transfer with progress is resumed before the next server is tried. Default: 5.
        public var resumptions: Int

        /// Creates limits. Values out of bounds are clamped.
        public init(
            resourceBytes: Int64 = 64 << 20, totalBytes: Int64 = 1 << 30, metaBytes: Int64 = 64 << 10,
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

        /// The limits of one exchange.
        var ofExchange: HTTPLimits { HTTPLimits(silence: silence, redirects: redirects) }

        /// The same limits clamped to the bounds of the initialiser, because the properties accept any value.
        var bounded: Limits {
            Limits(
                resourceBytes: resourceBytes, totalBytes: totalBytes, metaBytes: metaBytes, transfers: transfers,
                silence: silence, redirects: redirects, resumptions: resumptions
            )
        }
    }

    /// The folder for synced resources: `FOLDER/NAME/VERSION`. It is created on demand; several processes may share it.
    public var folder: URL
    /// The source servers for resources without servers of their own: `http` or `https` URLs, with a path if the server
    /// is not at the root.
    public var servers: [URL]
    /// The path between a server's URL and a resource's name. Default: `GBCloudBoxResourcesMeta`, as in the original.
    public var metaPath: String
    /// The resources that ship with the app.
    public var bundled: any BundledResources
    /// Limits on received and stored data.
    public var limits: Limits
    /// Verifies signed manifests. If set, the signed manifest is requested (``metaPath`` with the suffix `.jws`), and a
    /// file is only installed if it matches a signed manifest with a SHA-256. Default: nil, for the original's
    /// protocol. Versions that are already in the folder stay in use.
    public var verifier: (any ManifestVerifier)?
    /// Header fields for requests to a source server's own origin, such as an authorization; never sent to another origin.
    public var headers: [String: String]
    /// Creates the base configuration of the session for each ``CloudBoxClient``; cache and cookies are disabled in it. With
    /// a barricade's configuration, the barricade replaces the network.
    public var sessionConfiguration: @Sendable () -> URLSessionConfiguration
    /// The current wall-clock time, for the validity period of manifests.
    var date: @Sendable () -> Date = { Date() }

    /// Creates a configuration; by default without servers and bundled resources.
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

    /// The user's folder for an app's resources: `$XDG_CACHE_HOME/NAME/GBCloudBoxResources`, otherwise
    /// `~/.cache/NAME/GBCloudBoxResources` (XDG Base Directory Specification).
    /// - Parameters:
    ///   - name: the folder's name, such as the app's name.
    ///   - environment: the variables to read; by default those of the process.
    public static func userFolder(
        _ name: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        UserFolder.cache.url(environment).appendingPathComponent(name).appendingPathComponent("GBCloudBoxResources")
    }
}
