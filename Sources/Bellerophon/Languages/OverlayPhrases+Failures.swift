import BellerophonBase
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension OverlayPhrases {
    /// Why a check failed, in the language of a view. What only a developer needs is on the details page, in English.
    package func words(for error: StatusError) -> String {
        if let lag = error.early?.clockLag { return status.clockSlow.with(["time": lag.briefText]) }
        guard let failures else { return error.description }
        switch error.reason {
        case .transport(let code, let message):
            // Every number is a code on Apple's systems.
            let code: URLError.Code? = URLError.Code(rawValue: code)
            return code.flatMap(failures.words(for:)) ?? message
        case .timedOut(let limit): return failures.noReplyWithin.with(["time": limit.briefText])
        case .httpStatus(let code): return failures.http.with(["code": "\(code)"])
        case .notModifiedWithoutDocument: return failures.http.with(["code": "304"])
        case .notStatusDocument: return failures.invalid
        case .untrusted: return failures.untrusted
        case .tooLarge: return failures.tooLarge
        case .redirectRefused: return failures.redirect
        case .noStatus: return failures.noStatus
        case .unusableURL: return failures.address
        case .stream: return failures.stream
        case .cancelled: return failures.cancelled
        case .other(let text): return text
        }
    }
}

extension OverlayPhrases.Failures {
    /// A failure of the connection; nil for one that has only a description of the system.
    fileprivate func words(for code: URLError.Code) -> String? {
        switch code {
        case .notConnectedToInternet: offline
        case .cannotConnectToHost: noConnection
        case .cannotFindHost, .dnsLookupFailed: noName
        case .networkConnectionLost, .badServerResponse: cut
        case .unsupportedURL, .cannotParseResponse, .unknown: noReply
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateHasBadDate, .serverCertificateNotYetValid:
            insecure
        case .httpTooManyRedirects: redirect
        case .badURL: address
        default: nil
        }
    }
}
