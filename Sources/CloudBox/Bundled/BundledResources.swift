public import Digests
public import Foundation

/// The resources that ship with an app and are available before the first sync.
public protocol BundledResources: Sendable {
    /// The bundled version of a resource; nil if none ships.
    /// - Throws: ``CloudBoxError/Reason/bundled(_:)`` if the bundled version can't be used.
    func resource(_ name: ResourceName) throws(CloudBoxError) -> BundledResource?
}

/// One bundled version of a resource.
public struct BundledResource: Equatable, Sendable {
    /// The location of the bytes.
    public enum Content: Equatable, Sendable {
        /// A file on the disk.
        case file(URL)
        /// Bytes in memory.
        case bytes(Data)
    }

    /// The version, 0 or more.
    public var version: Int64
    /// The location of the bytes.
    public var content: Content
    /// The digest of the bytes; nil if unknown. Verified at registration if the content has at most 16 MiB.
    public var digest: Digest?

    /// Creates a bundled version.
    /// - Parameters:
    ///   - version: 0 or more.
    ///   - content: the bytes, or the file that contains them.
    ///   - digest: the digest of the bytes; nil if unknown.
    public init(version: Int64, content: Content, digest: Digest? = nil) {
        self.version = version
        self.content = content
        self.digest = digest
    }

    /// Creates a bundled version from bytes in the code.
    public init(version: Int64, data: Data, digest: Digest? = nil) {
        self.init(version: version, content: .bytes(data), digest: digest)
    }

    /// Creates a bundled version from text in the code, as UTF-8.
    public init(version: Int64, text: String) {
        self.init(version: version, content: .bytes(Data(text.utf8)))
    }
}

/// Resources that are embedded in the binary.
public struct EmbeddedResources: BundledResources {
    private let resources: [String: BundledResource]

    /// Creates a set of resources.
    /// - Parameter resources: by name.
    public init(_ resources: [String: BundledResource]) {
        self.resources = resources
    }

    /// The embedded version of a resource; nil if there is none.
    public func resource(_ name: ResourceName) -> BundledResource? { resources[name.text] }
}

extension BundledResources where Self == EmbeddedResources {
    /// No bundled resources.
    public static var none: EmbeddedResources { EmbeddedResources([:]) }

    /// Resources that are embedded in the binary, by name.
    ///
    /// ```swift
    /// configuration.bundled = .embedded(["help.txt": BundledResource(version: 1, text: "Press q to quit.")])
    /// ```
    public static func embedded(_ resources: [String: BundledResource]) -> EmbeddedResources {
        EmbeddedResources(resources)
    }
}

extension BundledResources where Self == BundledFolder {
    /// Resources in a folder that ships with the program; see ``BundledFolder``.
    public static func folder(_ url: URL) -> BundledFolder { BundledFolder(url) }
}
