import BellerophonBase
public import Digests
public import Foundation
import SafeText
public import StatusModel

/// Why a resource can't be had, or was not synced.
public struct CloudBoxError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        /// The name is none that a resource may have; see ``ResourceName``.
        case invalidName
        /// Asked for before it was registered.
        case notRegistered(registered: [String])
        case alreadyRegistered
        /// Nobody to ask: neither the resource nor the library has a source server.
        case noServers
        /// A source server's address that can't be asked.
        case unusableServer(String)
        /// Neither bundled nor cached, and never synced.
        case nothingYet
        case noDeserializer
        /// The deserializer's object has another type than the one asked for.
        case wrongType(expected: String, found: String)
        /// What is bundled can't be used; the text says why.
        case bundled(String)
        /// No exchange, or one that was cut: refused, unreachable, reset, no trust.
        case transport(String)
        /// Not a byte for that long.
        case silence(Duration)
        case httpStatus(Int)
        case redirectRefused(String)
        /// The meta document is unusable; the text says what was expected and found.
        case badMeta(String)
        /// The server has no signed manifest of it (404): it has no such resource, or it signs nothing.
        case noSignedManifest
        /// The signed manifest is not believed.
        case untrusted(TrustError)
        /// A `Resource-Version` that is no version.
        case badVersion(String)
        /// The file's own version is no newer than the one at hand, although the meta promised a newer one.
        case staleFile(version: Int64, promised: Int64)
        /// The meta and the file named different versions, twice.
        case changedMeanwhile(meta: Int64, file: Int64)
        /// More bytes than one resource may have.
        case tooLarge(limit: Int64)
        /// More bytes than all resources together may have.
        case folderFull(limit: Int64)
        /// The transfer ended whole, but not with as many bytes as the meta states.
        case wrongSize(expected: Int64, got: Int64)
        case digestMismatch(expected: Digest, got: Digest)
        /// The file system refused; the text says what was tried, where and why.
        case disk(String)
        /// The app's own deserializer refused the new bytes.
        case refused(version: Int64, String)
        case cancelled
        /// Every source server failed, each for its own reason.
        case allServersFailed([Attempt])
    }

    /// What came of one source server.
    public struct Attempt: Equatable, Sendable {
        public var server: URL
        public var reason: Reason

        public init(server: URL, reason: Reason) {
            self.server = server
            self.reason = reason
        }
    }

    /// The name as it was given.
    public var resource: String
    public var reason: Reason

    public init(_ resource: String, _ reason: Reason) {
        self.resource = resource
        self.reason = reason
    }

    /// Whether every server that was asked has answered that there is no such resource (404): nobody has published it,
    /// which is no fault.
    public var isNotPublished: Bool {
        switch reason {
        case .httpStatus(404), .noSignedManifest: true
        case .allServersFailed(let attempts):
            !attempts.isEmpty && attempts.allSatisfy { $0.reason == .httpStatus(404) || $0.reason == .noSignedManifest }
        default: false
        }
    }

    /// One line that a person can act on, safe to draw.
    public var description: String {
        TextSanitizer.sanitize("\(resource): \(reason)", keepingNewlines: false, limit: 2048)
    }
}

extension CloudBoxError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidName:
            "no name for a resource; use 1 to 128 of A-Z a-z 0-9 . _ - and begin with a letter or a digit"
        case .notRegistered(let names):
            "not registered; call register(_:) first. Registered: \(names.isEmpty ? "none" : names.joined(separator: ", "))"
        case .alreadyRegistered: "registered already; register each resource once"
        case .noServers: "no source server is configured; name one in the configuration or at registration"
        case .unusableServer(let text): "\(text) is no http or https address"
        case .nothingYet: "neither bundled nor cached; sync it first, or ship a bundled version"
        case .noDeserializer: "no deserializer is registered for it"
        case .wrongType(let expected, let found): "its deserializer makes \(found), not \(expected)"
        case .bundled(let why): "the bundled version can't be used: \(why)"
        case .disk(let what): what
        case .cancelled: "cancelled"
        case .allServersFailed(let attempts): Self.text(of: attempts)
        default: answerText
        }
    }

    /// What was wrong with a server's answer.
    private var answerText: String {
        switch self {
        case .transport(let message): message
        case .silence(let span): "no byte for \(span.briefText)"
        case .httpStatus(404): "the server has no such resource (HTTP 404)"
        case .httpStatus(let code): "the server answered HTTP \(code)"
        case .redirectRefused(let why): "redirect refused: \(why)"
        case .badMeta(let problem): "not a resource's meta document: \(problem)"
        case .noSignedManifest: "the server has no signed manifest of it (HTTP 404): no such resource, or no signing key"
        case .untrusted(.unsigned): "the server's manifest is not signed, and only signed ones count here"
        case .untrusted(let problem): "the server's manifest is not trusted: \(problem)"
        case .badVersion(let text): "the file's Resource-Version is no version: \(text)"
        case .staleFile(let version, let promised):
            "the meta promises version \(promised), but the file is still version \(version); try again later"
        case .changedMeanwhile(let meta, let file):
            "the meta says version \(meta), the file says \(file), and they did not come to agree; try again later"
        case .tooLarge(let limit): "larger than the limit of \(limit) bytes for one resource; raise resourceBytes"
        case .folderFull(let limit): "no room within the limit of \(limit) bytes for all resources; raise totalBytes"
        case .wrongSize(let expected, let got): "expected \(expected) bytes and got \(got)"
        case .digestMismatch(let expected, let got): "damaged or replaced on its way: expected \(expected), got \(got)"
        case .refused(let version, let why): "version \(version) was refused by this program: \(why)"
        default: "failed"
        }
    }

    private static func text(of attempts: [CloudBoxError.Attempt]) -> String {
        let all = attempts.map { "\($0.server.host ?? $0.server.absoluteString): \($0.reason)" }
        return "not synced, the version at hand stays in use: " + all.joined(separator: "; ")
    }
}
