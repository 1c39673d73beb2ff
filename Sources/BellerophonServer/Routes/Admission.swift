import BellerophonStore

/// Whether a request may take a slot, and of which kind, by its token. The endpoint checks what the token allows.
enum Admission: Equatable {
    /// - Parameter token: nil if it is unknown or not needed.
    case slot(RequestSlot, token: TokenRecord?)
    case tokenMissing

    /// - Parameters:
    ///   - bearer: the token of the request.
    ///   - tokens: the existing tokens, by their hash.
    init(_ endpoint: Endpoint, bearer: String?, known tokens: [String: TokenRecord]) {
        let token = bearer.flatMap(Store.tokenHash).flatMap { tokens[$0] }
        self =
            !endpoint.needsToken
            ? .slot(endpoint.slot, token: nil)
            : bearer == nil ? .tokenMissing : .slot(token == nil ? .unknownTokens : endpoint.slot, token: token)
    }
}

/// The token of an `Authorization` field.
enum BearerToken {
    /// - Returns: nil if the field has another scheme or no token.
    static func read(_ field: String?) -> String? {
        guard let parts = field?.split(separator: " ", maxSplits: 1), parts.count == 2, parts[0].lowercased() == "bearer" else {
            return nil
        }
        let token = parts[1].trimmedOfSpace()
        return token.isEmpty ? nil : token
    }
}
