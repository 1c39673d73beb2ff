public import Digests
public import Foundation

/// What an app ships with itself, so that it is never without its resources.
public protocol BundledResources: Sendable {
    /// The bundled version of a resource; nil where none is shipped.
    /// - Throws: ``CloudBoxError/Reason/bundled(_:)`` where one is and can't be used.
    func resource(_ name: ResourceName) throws(CloudBoxError) -> BundledResource?
}

/// One bundled version.
public struct BundledResource: Equatable, Sendable {
    public enum Content: Equatable, Sendable {
        case file(URL)
        case bytes(Data)
    }

    public var version: Int64
    public var content: Content
    /// Checked at registration for content of at most 16 MiB.
    public var digest: Digest?

    /// - Parameter version: 0 or more.
    public init(version: Int64, content: Content, digest: Digest? = nil) {
        self.version = version
        self.content = content
        self.digest = digest
    }

    /// Bytes inside the code.
    public init(version: Int64, data: Data, digest: Digest? = nil) {
        self.init(version: version, content: .bytes(data), digest: digest)
    }

    /// Text inside the code, as UTF-8.
    public init(version: Int64, text: String) {
        self.init(version: version, content: .bytes(Data(text.utf8)))
    }
}

/// Resources whose bytes are inside the code: a moved binary still has them.
public struct EmbeddedResources: BundledResources {
    private let resources: [String: BundledResource]

    /// - Parameter resources: by name.
    public init(_ resources: [String: BundledResource]) {
        self.resources = resources
    }

    public func resource(_ name: ResourceName) -> BundledResource? { resources[name.text] }
}

extension BundledResources where Self == EmbeddedResources {
    /// Nothing is shipped.
    public static var none: EmbeddedResources { EmbeddedResources([:]) }

    /// Bytes inside the code, by name.
    ///
    /// ```swift
    /// .embedded(["help.txt": BundledResource(version: 1, text: "Press q to quit.")])
    /// ```
    public static func embedded(_ resources: [String: BundledResource]) -> EmbeddedResources {
        EmbeddedResources(resources)
    }
}

extension BundledResources where Self == BundledFolder {
    /// A folder that is shipped beside the program; see ``BundledFolder``.
    public static func folder(_ url: URL) -> BundledFolder { BundledFolder(url) }
}
