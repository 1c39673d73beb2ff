import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// Converts the error that ended a task.
    init(_ error: any Error) {
        guard let error = error as? URLError else {
            self = .connection(.unknown, message: "no complete reply: \((error as NSError).localizedDescription)")
            return
        }
        self = error.code == .cancelled ? .cancelled : .connection(error.code, message: error.sentence)
    }
}

extension URLError {
    /// The problem in one sentence without a period: the transport's own sentence, or for common failures a text that is the
    /// same on every platform.
    package var sentence: String {
        (errorUserInfo[Self.sentenceKey] as? String) ?? code.sentence ?? words
    }

    /// Creates an error with its own sentence.
    init(_ code: Code, sentence: String) {
        self.init(code, userInfo: [Self.sentenceKey: sentence, NSLocalizedDescriptionKey: sentence])
    }

    private static let sentenceKey = "HTTPTransportSentence"

    /// The system's description, with its subject.
    private var words: String {
        guard code == .unknown else { return localizedDescription }
        let isSecurity = ["SSL", "TLS", "certificate"].contains { localizedDescription.contains($0) }
        return (isSecurity ? "no secure connection: " : "no complete reply: ") + localizedDescription
    }
}

extension URLError.Code {
    /// A common failure as a sentence; nil for other codes.
    package var sentence: String? {
        switch self {
        case .notConnectedToInternet: "offline: this computer has no network"
        case .cannotConnectToHost: "could not connect to the server"
        case .cannotFindHost, .dnsLookupFailed: "the server's name was not found"
        case .networkConnectionLost: "the connection was cut"
        case .badServerResponse: "the server closed the connection without a reply"
        case .unsupportedURL, .cannotParseResponse: "the reply is not HTTP"
        case .secureConnectionFailed: "no secure connection"
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
            "no secure connection: the server's certificate is not trusted"
        case .serverCertificateHasBadDate: "no secure connection: the server's certificate has expired"
        case .serverCertificateNotYetValid: "no secure connection: the server's certificate is not valid yet"
        case .httpTooManyRedirects: "too many redirects"
        default: nil
        }
    }
}
