import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// A copy that keeps nothing between requests: no cache, cookies or credentials. Its timeouts, a day and a week,
    /// are only a fallback for the limits of an exchange.
    func withoutMemory() -> URLSessionConfiguration {
        let copy = self.copy() as? URLSessionConfiguration ?? .ephemeral
        copy.urlCache = nil
        copy.requestCachePolicy = .reloadIgnoringLocalCacheData
        copy.httpShouldSetCookies = false
        copy.httpCookieStorage = nil
        copy.urlCredentialStorage = nil
        copy.timeoutIntervalForRequest = 86_400
        copy.timeoutIntervalForResource = 7 * 86_400
        return copy
    }
}
