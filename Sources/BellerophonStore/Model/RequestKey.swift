import BellerophonBase

/// The caller's key for a request that changes the store, so that it can be repeated safely after a lost reply.
///
/// In HTTP it is the header field `Idempotency-Key`.
package struct RequestKey: Equatable, Sendable {
    package let text: String

    /// A new key of 128 random bits.
    package static func make() -> RequestKey {
        RequestKey(text: StoreIdentity.make().text)
    }

    static func reused(_ text: String, row: Int64) -> StoreError {
        StoreError(
            .conflict, "the key \(JSONText.quoted(text)) was used for another request, which is row \(row)",
            hint: "each request needs a key of its own; nothing was published"
        )
    }
}

extension RequestKey {
    /// - Parameter text: 1 to 128 visible ASCII characters.
    package init(_ text: String) throws(StoreError) {
        guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalid("a request's key must be 1 to 128 visible ASCII characters", hint: "such as a UUID")
        }
        self.init(text: text)
    }
}
