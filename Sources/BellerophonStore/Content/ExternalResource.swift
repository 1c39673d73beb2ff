import BellerophonBase
import Digests
import Foundation
import StatusModel

/// A resource whose bytes are served from elsewhere.
package struct ExternalResource: Equatable, Sendable {
    package let url: String
    /// Must be higher than the newest; nil selects the next.
    package let version: Int64?
    package let md5: String?
    package let sha256: String?
    /// In bytes.
    package let size: Int64?

    package init(url: String, version: Int64? = nil, md5: String? = nil, sha256: String? = nil, size: Int64? = nil) {
        self.url = url
        self.version = version
        self.md5 = md5?.lowercased()
        self.sha256 = sha256?.lowercased()
        self.size = size
    }

    /// Parses the body of a request to publish one: `{"v":3,"url":"https://…","md5":…,"sha256":…,"size":…}`.
    package init(json: Data) throws(StoreError) {
        var fields = try RequestFields(json)
        guard let url = try fields.text("url") else { throw .invalid("the field \"url\" is missing") }
        self.init(
            url: url, version: try fields.integer("v"), md5: try fields.text("md5"),
            sha256: try fields.text("sha256"), size: try fields.integer("size")
        )
        try fields.finish()
        try validate()
    }

    /// The body of a request to publish this resource, which is also its manifest.
    package var json: Data {
        JSONNode.object([
            ("v", version.map { .number($0) }), ("md5", md5.map(JSONNode.text)), ("sha256", sha256.map(JSONNode.text)),
            ("size", size.map { .number($0) }), ("url", .text(url)),
        ]).data
    }

    func validate() throws(StoreError) {
        guard StatusDocument.webAddress(url) != nil else {
            throw .invalid("url is not an http or https address", hint: "such as https://example.com/help.txt")
        }
        if let md5, Digest(.md5, hex: md5) == nil { throw .invalid("md5 must be 32 hexadecimal digits") }
        if let sha256, Digest(.sha256, hex: sha256) == nil { throw .invalid("sha256 must be 64 hexadecimal digits") }
        if let size, size < 0 { throw .invalid("size must be at least 0") }
    }
}
