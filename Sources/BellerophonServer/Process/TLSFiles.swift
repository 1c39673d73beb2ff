import BellerophonBase
import Foundation
import NIOSSL

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
        let chain = try readChain()
        guard let leaf = chain.first else {
            throw ServerError("\(certificate) holds no certificate", hint: "it must be a certificate chain in PEM form")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(try readKey())
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

    private func readChain() throws(ServerError) -> [NIOSSLCertificate] {
        do {
            return try NIOSSLCertificate.fromPEMBytes(Array(InputFile.read(certificate, limit: Self.fileLimit)))
        } catch let problem as InputFile.ReadError {
            throw Self.unreadable(certificate, "\(problem)")
        } catch {
            throw ServerError("the TLS file \(certificate) can't be used", hint: "it must be a certificate chain in PEM form")
        }
    }

    private func readKey() throws(ServerError) -> NIOSSLPrivateKey {
        do {
            return try NIOSSLPrivateKey(
                bytes: Array(SecretFile.read(key, limit: Self.fileLimit, readers: .groupOfRoot)), format: .pem)
        } catch SecretFile.Problem.system(let number) {
            throw Self.unreadable(key, String(cString: strerror(number)))
        } catch let problem as SecretFile.Problem {
            throw ServerError("the TLS key \(key) is not used: \(problem)")
        } catch {
            throw ServerError(
                "the TLS file \(key) can't be used", hint: "it must be a private key in PEM form without a passphrase")
        }
    }

    private static func unreadable(_ path: String, _ reason: String) -> ServerError {
        ServerError("the TLS file \(path) can't be read (\(reason))", hint: "check that it exists and who may read it")
    }
}

/// A certificate that matches its key.
struct LoadedCertificate: Sendable {
    let context: NIOSSLContext
    let expiry: Date
}

/// The certificate for new connections. Established connections keep the certificate that they began with.
typealias PresentCertificate = Replaceable<LoadedCertificate>
