#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// What a server gets that asks who we are: nothing. Whoever needs a password sends it in a header field.
public enum AuthenticationRule {
    /// A password that is asked for is not looked for anywhere, so that the answer is the failure that it is (measured on
    /// Linux: else the exchange has no end). What proves who the server is remains the system's business.
    public static func disposition(of challenge: URLAuthenticationChallenge) -> URLSession.AuthChallengeDisposition {
        let passwords = [
            NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodHTMLForm, NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
        ]
        let method = challenge.protectionSpace.authenticationMethod
        return passwords.contains(method) ? .rejectProtectionSpace : .performDefaultHandling
    }
}
