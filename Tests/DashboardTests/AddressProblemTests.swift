import Bellerophon
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the header says of an address that can have no status.
@Suite("Problems with an address") struct AddressProblemTests {
    private static let source = "status.exampel.com/v1/status"

    private static func transport(_ code: URLError.Code) -> StatusError.Reason {
        .transport(code: code.rawValue, message: "no connection")
    }

    private static let problems: [(StatusError.Reason, String, String)] = [
        (transport(.cannotFindHost), "unknown host", "unknown-host"),
        (transport(.serverCertificateUntrusted), "bad certificate", "certificate"),
        (transport(.serverCertificateHasBadDate), "bad certificate", "certificate"),
        (transport(.secureConnectionFailed), "no TLS here", "no-tls"),
        (.httpStatus(404), "nothing here (404)", "not-found"),
        (.unusableURL("it has no host"), "unusable address", "unusable"),
    ]

    private func failing(_ reason: StatusError.Reason, columns: Int = 80, source: String = source) -> DashboardSession {
        var session = DashboardSession(
            isSimulated: false, size: Size(columns: columns, rows: 24), source: source, security: .plain)
        session.start()
        for _ in 0..<3 {
            session.fail(reason)
            session.wait(60)
        }
        session.fail(reason)
        return session
    }

    @Test("The header names the address and what is wrong with it", arguments: problems)
    func theHeaderNamesTheAddress(reason: StatusError.Reason, words: String, name: String) {
        let session = failing(reason)
        #expect(session.header.contains("\(Self.source)   ! \(words) ×4"))
        expectGolden(session.frame(), named: "address-\(name)")
    }

    @Test("A long address takes the room of everything but its problem, and is cut at its end")
    func aLongAddress() {
        let source = "status.exampel.com/" + String(repeating: "part/", count: 20)
        for (columns, start) in [(80, "status.exampel.com/part/"), (50, "status.exa")] {
            let header = failing(Self.transport(.cannotFindHost), columns: columns, source: source).header
            #expect(header.contains(start) && header.contains("…   ! unknown host ×4"), "\(header)")
        }
    }

    @Test("Any other failure says nothing of the address")
    func anotherFailure() {
        for reason in [Self.transport(.cannotConnectToHost), .timedOut(after: .seconds(5)), .httpStatus(503)] {
            #expect(StatusError(reason).addressProblem == nil)
        }
    }
}
