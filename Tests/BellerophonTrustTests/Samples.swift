import Bellerophon
import Foundation

@testable import BellerophonTrust

/// The key pair of RFC 8037, appendix A, and documents that it signs.
enum Sample {
    static let privateKey = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"
    static let publicKey = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    /// From RFC 8037, appendix A.3.
    static let thumbprint = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    static let jwk = Data(#"{"kty":"OKP","crv":"Ed25519","d":"\#(privateKey)","x":"\#(publicKey)"}"#.utf8)

    static let now = Date(timeIntervalSince1970: 1_763_712_000)
    static let kill = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Back at noon."}"#
    static let meta =
        #"{"v":4,"md5":"900150983cd24fb0d6963f7d28e17f72","sha256":"\#(digest)","size":3,"url":"../data/help.txt/4"}"#
    static let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    static func key() throws -> SigningKey { try SigningKey(jwk: jwk) }

    static func trusted(_ keys: [String] = [publicKey], audience: String = "default/main") throws -> TrustedKeys {
        try TrustedKeys(keys, audience: audience)
    }

    /// The header of a signed status.
    static let header = #"{"alg":"EdDSA","kid":"\#(thumbprint)","typ":"bellerophon-status+jws"}"#

    /// A payload with these claims, each as JSON; nil omits one.
    static func payload(
        aud: String? = #""default/main""#, iat: String? = "1763712000", exp: String? = "1763798400",
        serial: String? = "1763711999123"
    ) -> String {
        let claims = [("aud", aud), ("iat", iat), ("exp", exp), ("serial", serial)]
        let texts = claims.compactMap { name, json in json.map { "\"\(name)\":\($0)" } }
        return String(kill.dropLast()) + "," + texts.joined(separator: ",") + "}"
    }

    /// A document with any header and payload, and a valid signature.
    static func signed(_ header: String = header, _ payload: String = payload()) throws -> Data {
        let text = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8))"
        let signature = try key().signature(of: Data(text.utf8)) ?? Data()
        return Data("\(text).\(Base64URL.encode(signature))".utf8)
    }

    /// The verification error of a status; nil if it is accepted.
    static func problem(_ status: Data, at date: Date? = now, trusting keys: TrustedKeys? = nil) throws -> TrustError? {
        let keys = try keys ?? trusted()
        do throws(TrustError) {
            _ = try keys.verify(status: status, at: date)
            return nil
        } catch {
            return error
        }
    }
}
