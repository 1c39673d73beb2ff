import BellerophonStore
import NIOHTTP1

extension Endpoint {
    /// The slot that a request takes, by its token. The endpoint checks what the token allows.
    /// - Parameters:
    ///   - bearer: the token of the request.
    ///   - tokens: the existing tokens, by their hash.
    /// - Returns: nil if the token is missing; without a token's record if it is unknown or not needed.
    func slot(bearer: String?, known tokens: [String: TokenRecord]) -> (slot: RequestSlot, token: TokenRecord?)? {
        guard needsToken else { return (slot, nil) }
        guard let bearer else { return nil }
        let token = Store.tokenHash(bearer).flatMap { tokens[$0] }
        return (token == nil ? .unknownTokens : slot, token)
    }
}

extension HTTPRequestHead {
    /// The token of the first `Authorization` field; nil if it has another scheme or no token.
    var bearerToken: String? {
        let parts = headers.first(name: "Authorization")?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = parts[1].trimmedOfSpace()
        return token.isEmpty ? nil : token
    }
}
