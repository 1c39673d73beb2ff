import BellerophonBase
import Foundation
import NIOSSL
import Synchronization

/// The paths of a certificate chain and its private key, as PEM files.
package struct TLSFiles: Equatable, Sendable {
    package var certificate: String
    package var key: String

    /// In bytes; larger than any certificate chain.
    private static let fileLimit = 1 << 20

    /// Reads the files.
    /// - Throws: ``ServerError`` if a file can't be read or is not PEM, others may read the key, or it does not match the
    ///   certificate.
    func load() throws(ServerError) -> LoadedCertificate {
        let chain = try read(certificate, "a certificate chain in PEM form") { try NIOSSLCertificate.fromPEMBytes($0) }
        let secret = try readKey()
        guard let leaf = chain.first else {
            throw ServerError("\(certificate) holds no certificate", hint: "it must be a certificate chain in PEM form")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            let context = try NIOSSLContext(configuration: configuration)
            return LoadedCertificate(context: context, expiry: Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter)))
        } catch {
            // NIOSSL checks here that the key matches the certificate.
            throw ServerError(
                "\(key) is not the key of \(certificate)", hint: "the first certificate in the file must be the server's own"
            )
        }
    }

    private func read<Value>(_ path: String, _ expected: String, _ load: ([UInt8]) throws -> Value) throws(ServerError) -> Value {
        do {
            return try load(Array(InputFile.read(path, limit: Self.fileLimit)))
        } catch let problem as InputFile.ReadError {
            throw ServerError("the TLS file \(path) can't be read (\(problem))", hint: "check that it exists and who may read it")
        } catch {
            throw ServerError("the TLS file \(path) can't be used", hint: "it must be \(expected)")
        }
    }

    private func readKey() throws(ServerError) -> NIOSSLPrivateKey {
        let bytes: Data
        do throws(SecretFile.Problem) {
            bytes = try SecretFile.read(key, limit: Self.fileLimit, readers: .groupOfRoot)
        } catch .system(let number) {
            throw ServerError(
                "the TLS file \(key) can't be read (\(String(cString: strerror(number))))",
                hint: "check that it exists and who may read it")
        } catch {
            throw ServerError("the TLS key \(key) is not used: \(error)")
        }
        do {
            return try NIOSSLPrivateKey(bytes: Array(bytes), format: .pem)
        } catch {
            throw ServerError(
                "the TLS file \(key) can't be used", hint: "it must be a private key in PEM form without a passphrase")
        }
    }
}

/// A certificate that matches its key.
struct LoadedCertificate: Sendable {
    let context: NIOSSLContext
    let expiry: Date
}

/// The certificate for new connections. Established connections keep the certificate that they began with.
final class PresentCertificate: Sendable {
    private let loaded: Mutex<LoadedCertificate>

    init(_ first: LoadedCertificate) { loaded = Mutex(first) }

    var context: NIOSSLContext { loaded.withLock { $0.context } }

    var expiry: Date { loaded.withLock { $0.expiry } }

    func set(_ newer: LoadedCertificate) { loaded.withLock { $0 = newer } }
}
