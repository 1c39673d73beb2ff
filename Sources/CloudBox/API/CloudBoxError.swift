import BellerophonBase
public import Digests
public import Foundation
import HTTPTransport
import SafeText
public import StatusModel

/// An error with the reason why a resource is unavailable or was not synced.
public struct CloudBoxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason for an error.
    public enum Reason: Equatable, Sendable {
        /// The name is not a valid ``ResourceName``.
        case invalidName
        /// The resource is not registered; `registered` contains the registered names.
        case notRegistered(registered: [String])
        /// The resource is already registered.
        case alreadyRegistered
        /// Neither the resource nor the configuration has a source server.
        case noServers
        /// A source server's URL is not a usable `http` or `https` URL.
        case unusableServer(String)
        /// There is neither a bundled nor a cached version, and no sync has installed one.
        case nothingYet
        /// The resource has no deserializer.
        case noDeserializer
        /// The deserializer's object has a type other than the requested one.
        case wrongType(expected: String, found: String)
        /// The bundled version can't be used; the text contains the reason.
        case bundled(String)
        /// The connection failed or was interrupted: refused, unreachable, reset or untrusted. The text contains the reason.
        case transport(String)
        /// No byte arrived for this time.
        case silence(Duration)
        /// The server replied with this HTTP status.
        case httpStatus(Int)
        /// A redirect was refused; the text contains the reason.
        case redirectRefused(String)
        /// The meta document is invalid; the text contains the expected and the found value.
        case badMeta(String)
        /// The server has no signed manifest of the resource (404): it has no such resource or no signing key.
        case noSignedManifest
        /// The signed manifest is not trusted.
        case untrusted(TrustError)
        /// The file has this content coding, and the meta document has no digest that would prove the bytes.
        case coded(String)
        /// The `Resource-Version` header does not contain a version.
        case badVersion(String)
        /// The file's own version is not newer than the version in use, although the meta document announces a newer one.
        case staleFile(version: Int64, promised: Int64)
        /// The meta document and the file stated different versions, twice.
        case changedMeanwhile(meta: Int64, file: Int64)
        /// The server's version exceeds the limit that the resource was registered with, in bytes.
        case tooLarge(limit: Int64)
        /// The resources exceed the limit for all resources together, in bytes.
        case folderFull(limit: Int64)
        /// The transfer was complete, but its size differs from the meta document's, in bytes.
        case wrongSize(expected: Int64, got: Int64)
        /// The digest of the received bytes differs from the meta document's.
        case digestMismatch(expected: Digest, got: Digest)
        /// A file system operation failed; the text contains the operation, the path and the reason.
        case disk(String)
        /// The app's deserializer rejected the new bytes; the text contains its error.
        case refused(version: Int64, String)
        /// The sync was cancelled.
        case cancelled
        /// All source servers failed, each with its own reason.
        case allServersFailed([Attempt])
    }

    /// The failure of one source server.
    public struct Attempt: Equatable, Sendable {
        /// The source server's URL.
        public var server: URL
        /// The reason for its failure.
        public var reason: Reason

        /// Creates the record of one server's failure.
        public init(server: URL, reason: Reason) {
            self.server = server
            self.reason = reason
        }
    }

    /// The resource's name as given.
    public var resource: String
    /// The reason for the error.
    public var reason: Reason

    /// Creates an error for a resource.
    public init(_ resource: String, _ reason: Reason) {
        self.resource = resource
        self.reason = reason
    }

    /// Whether all contacted servers replied that the resource does not exist (404). It is then not published, which is
    /// not a fault.
    package var isNotPublished: Bool {
        switch reason {
        case .httpStatus(404), .noSignedManifest: true
        case .allServersFailed(let attempts):
            !attempts.isEmpty && attempts.allSatisfy { $0.reason == .httpStatus(404) || $0.reason == .noSignedManifest }
        default: false
        }
    }

    /// The resource and the reason in one line, without control characters.
    public var description: String {
        TextSanitizer.sanitize("\(resource): \(reason)", keepingNewlines: false, limit: 2048)
    }
}

extension CloudBoxError.Reason: CustomStringConvertible {
    /// The reason in one line, with a remedy if there is one.
    public var description: String {
        switch self {
        case .invalidName:
            "no name for a resource; use 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter or a digit"
        case .notRegistered(let names):
            "not registered; call register(_:) first. Registered: \(names.isEmpty ? "none" : names.joined(separator: ", "))"
        case .alreadyRegistered: "registered already; register each resource once"
        case .noServers: "no source server is configured; name one in the configuration or at registration"
        case .unusableServer(let text): "\(text) is not an http or https address"
        case .nothingYet: "neither bundled nor cached; sync it first, or ship a bundled version"
        case .noDeserializer: "no deserializer is registered for it"
        case .wrongType(let expected, let found): "its deserializer makes \(found), not \(expected)"
        case .bundled(let why): "the bundled version can't be used: \(why)"
        case .disk(let what): what
        case .cancelled: "cancelled"
        case .allServersFailed(let attempts): Self.text(of: attempts)
        case .transport(let message): message
        case .silence(let span): "no data for \(span.briefText)"
        case .httpStatus(404): "the server has no such resource (HTTP 404)"
        case .httpStatus(let code): "the server replied with HTTP \(code)"
        case .redirectRefused(let why): "redirect refused: \(why)"
        case .badMeta(let problem): "not a resource's meta document: \(problem)"
        case .noSignedManifest: "the server has no signed manifest of it (HTTP 404): no such resource, or no signing key"
        case .untrusted(.unsigned): "the server's manifest is not signed, and only signed ones count here"
        case .untrusted(let problem): "the server's manifest is not trusted: \(problem)"
        case .coded(let coding):
            "the file is encoded as \(coding), which was not asked for, and the meta has no digest to prove it"
        case .badVersion(let text): "the file's Resource-Version is not a version: \(text)"
        case .staleFile(let version, let promised):
            "the meta promises version \(promised), but the file is still version \(version); try again later"
        case .changedMeanwhile(let meta, let file):
            "the meta says version \(meta), the file says \(file), and they still differ; try again later"
        case .tooLarge(let limit):
            "larger than this program's limit of \(limit) bytes for this resource; publish a smaller version"
        case .folderFull(let limit): "no room within the limit of \(limit) bytes for all resources; raise totalBytes"
        case .wrongSize(let expected, let got): "expected \(expected) bytes and got \(got)"
        case .digestMismatch(let expected, let got): "damaged or replaced on its way: expected \(expected), got \(got)"
        case .refused(let version, let why): "version \(version) was refused by this program: \(why)"
        }
    }

    private static func text(of attempts: [CloudBoxError.Attempt]) -> String {
        let all = attempts.map { "\($0.server.host ?? $0.server.absoluteString): \($0.reason)" }
        return "not synced, the present version stays in use: " + all.joined(separator: "; ")
    }
}

extension CloudBoxError.Reason {
    /// The reason for an exchange without a complete response.
    init(_ failure: TransportError) {
        switch failure {
        case .cancelled: self = .cancelled
        case .deadline(let limit), .silence(let limit): self = .silence(limit)
        case .redirect(let why): self = .redirectRefused(why)
        case .connection(_, let message): self = .transport(TextSanitizer.sanitize(message, keepingNewlines: false, limit: 300))
        }
    }
}
