import Foundation
import TestSupport
import Testing

/// The reported errors of failed TLS connections, and a valid connection.
@Suite("Secure connections", .serialized)
struct TLSFaultTests {
    /// Replies to each connection with an active status, over TLS.
    private static let script = """
        import socket, ssl, sys
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        body = b'{"apiInactive":false,"forceUpdate":false,"retryInterval":60,"userMessage":null}'
        while True:
            connection, _ = listener.accept()
            try:
                with context.wrap_socket(connection, server_side=True) as stream:
                    stream.recv(65536)
                    stream.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(body), body))
            except OSError:
                connection.close()
        """

    /// Keeps each connection, and sends a second reply in the TLS record of the first one's body.
    private static let twoReplies = script.replacing(
        """
                    stream.recv(65536)
                    stream.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(body), body))
        """,
        with: """
                        killed = body.replace(b'Inactive":false', b'Inactive":true')
                        head = b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n"
                        stream.recv(65536)
                        stream.sendall(head % len(body))
                        stream.sendall(body + head % len(killed) + killed)
                        stream.recv(65536)
            """)

    private func report(
        _ certificate: TestCertificate, trusting trusted: String?, server code: String = script, again: Bool = false
    ) async throws -> ProbeReport {
        let folder = try TestFolder()
        let (chain, key) = (
            try folder.write(certificate.text, to: "chain.pem"), try folder.write(TestCertificate.key, to: "key.pem")
        )
        let script = try folder.write(code, to: "server.py")
        let server = try RunningProgram("/usr/bin/env", ["python3", script, chain, key], home: folder)
        let port = try await eventually("port of the TLS server", within: patience) {
            Int(server.log.split(separator: "\n").first ?? "")
        }
        let file = trusted ?? chain
        let url = "https://localhost:\(port)/status"
        let report = try await ProbeReport.of(
            ["check", url] + (again ? ["--then", url] : []), environment: ["SSL_CERT_FILE": file])
        return withExtendedLifetime((folder, server)) { report }
    }

    @Test func aCertificateThatTheFileNamesIsTrusted() async throws {
        #expect(try await report(.good, trusting: nil).all("stage") == ["active"])
    }

    @Test func bytesThatWaitInTheTLSLibraryAreNoReply() async throws {
        try #require(Self.twoReplies != Self.script)
        let report = try await report(.good, trusting: nil, server: Self.twoReplies, again: true)
        #expect(report.all("stage") == ["active"])
        #expect(report.all("then") == ["active"])
    }

    @Test(arguments: [
        (TestCertificate.expired, "no secure connection: certificate has expired"),
        (.otherName, "no secure connection: no alternative certificate subject name matches target host name 'localhost'"),
    ])
    func aFaultOfTheCertificateIsNamed(certificate: TestCertificate, text: String) async throws {
        let report = try await report(certificate, trusting: nil)
        #expect(report.all("error") == [text])
        #expect(report.all("stage") == ["unknown"])
    }

    @Test func aCertificateThatNobodyVouchesForIsNamed() async throws {
        let folder = try TestFolder()
        let report = try await report(.good, trusting: try folder.write(TestCertificate.expired.text, to: "others.pem"))
        #expect(report.all("error").first?.hasPrefix("no secure connection: ") == true)
        #expect(report.all("stage") == ["unknown"])
    }

    @Test("A certificate file that cannot be read is named in the error")
    func unreadableCertificatesAreNamed() async throws {
        let report = try await report(.good, trusting: "/nowhere/certificates.pem")
        #expect(report.all("error").first?.contains("/nowhere/certificates.pem") == true, "\(report.lines)")
        #expect(report.all("stage") == ["unknown"])
    }
}
