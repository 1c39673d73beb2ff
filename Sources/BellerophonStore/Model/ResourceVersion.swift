import Foundation

/// One version of a resource: a file of the store, or an external address.
package struct ResourceVersion: Codable, Equatable, Sendable {
    package let name: String
    package let version: Int64
    /// In bytes. Known for every file of the store, as are both digests.
    package let size: Int64?
    /// Lower-case hexadecimal.
    package let md5: String?
    package let sha256: String?
    /// The address of an external resource; nil if the store has the bytes.
    package let externalURL: String?
    package let at: Date
    package let who: String
    package let reason: String?
    /// The version whose bytes a rollback published again.
    package let fromVersion: Int64?

    /// The largest version, which every JSON parser reads exactly.
    package static let versionLimit: Int64 = (1 << 53) - 1

    /// The manifest, which a client requests first: `{"v":4,"md5":"…","sha256":"…","size":1234,"url":"…"}`.
    /// - Parameter url: the address of the store's bytes; an external resource has its own.
    package func meta(url: String) -> Data {
        ExternalResource(url: externalURL ?? url, version: version, md5: md5, sha256: sha256, size: size).json
    }

    /// Whether clients get the same bytes.
    func hasContent(of other: ResourceVersion) -> Bool {
        (externalURL, sha256, md5, size) == (other.externalURL, other.sha256, other.md5, other.size)
    }

    func hasBytes(of draft: ResourceTable.Draft) -> Bool {
        (externalURL, sha256, md5, size) == (draft.url, draft.sha256, draft.md5, draft.size)
    }

    package static func checkName(_ name: String) throws(StoreError) {
        try StoreText.checkName(name, of: "a resource", limit: 128, hasCapitals: true)
    }
}

/// The result of publishing a resource.
package struct ResourcePut: Equatable, Sendable {
    package let resource: ResourceVersion
    /// False if the newest version has the same bytes and no version was requested: nothing was published.
    package let isNew: Bool
}

/// The body of a rollback: `{"version":3,"reason":"…"}`. Both fields and the body itself are optional.
package struct RollbackBody: Encodable {
    /// The version to restore; nil for the one before the newest.
    package private(set) var version: Int64?
    package private(set) var reason: String?

    package init(version: Int64?, reason: String?) { (self.version, self.reason) = (version, reason) }

    package init(json: Data) throws(StoreError) {
        guard !json.isEmpty else { return }
        var fields = try RequestFields(json)
        (version, reason) = (try fields.integer("version"), try fields.text("reason"))
        try fields.finish()
    }
}
