import BellerophonStore
import Foundation
import Logging
import NIOCore
import TestSupport
import Testing

@testable import BellerophonServer

/// The log entries for authorised and refused requests.
@Suite struct AuthenticationLogTests {
    @Test("Failed authentications are logged without the token and counted by reason")
    func failuresAreLoggedAndCounted() async throws {
        let lines = LogLines()
        try await LiveServer.run(log: lines) { live in
            let reading = try await live.token([.read])
            let wrong = "blp_" + String(repeating: "a", count: 43)
            #expect(try await live.talk { try $0.put("/status?dryRun=true", "{}", token: wrong) }.code == 401)
            #expect(try await live.talk { try $0.put("/v1/apps/shop/status", "{}", token: reading) }.code == 403)
            try await live.talk { client in
                #expect(try client.answer(to: "/v1/journal").code == 401)
                let figures = try client.answer(to: "/metrics").body
                for reason in ["missing", "unknown", "forbidden"] {
                    #expect(figures.contains("bellerophon_authentication_failures_total{reason=\"\(reason)\"} 1\n"))
                }
            }
            let failures = lines.entries.filter { $0.message == "an authentication failed" }
            #expect(
                failures.map(\.fields) == [
                    ["client": "127.0.0.1", "path": "/status", "reason": "unknown"],
                    ["client": "127.0.0.1", "path": "/v1/apps/shop/status", "reason": "forbidden"],
                ])
            #expect(failures.allSatisfy { $0.level == .warning })
            #expect(!lines.entries.contains { $0.fields.values.contains { $0.contains("blp_") } })
        }
    }

    @Test("At most ten authentication failures per second are logged, and all are counted")
    func failureLogIsLimited() {
        let (lines, failures) = (LogLines(), AuthenticationFailures())
        let logger = Logger(label: "test") { _ in lines }
        func second(_ number: UInt64) -> NIODeadline { .uptimeNanoseconds(number * 500_000_000) }
        for _ in 1...25 { failures.record(.unknownToken, client: "192.0.2.1", path: "/status", logger, at: second(20)) }
        failures.record(.forbidden, client: nil, path: "/status", logger, at: second(21))
        #expect(lines.entries.count == 11 && lines.entries.last?.message.hasPrefix("more authentications fail") == true)
        for _ in 1...25 { failures.record(.forbidden, client: nil, path: "/status", logger, at: second(22)) }
        #expect(lines.entries.count == 22)
        #expect(failures.counts.map(\.count) == [0, 25, 0, 26])
    }

    @Test func theAccessLogNamesClientTimeAndToken() async throws {
        let lines = LogLines()
        try await LiveServer.talk({ $0.logsAccess = true }, log: lines) { client, token, _ in
            #expect(try client.put("/status", #"{"action":"kill"}"#, token: token).code == 201)
            _ = try client.answer(to: "/alive?x=1")
            _ = try client.answer(to: "/v1/journal")
            let requests = lines.entries.filter { $0.message == "request" }
            #expect(requests.map { $0.fields["path"] } == ["/status", "/alive", "/v1/journal"])
            #expect(requests.map { $0.fields["code"] } == ["201", "200", "401"])
            #expect(requests.map { $0.fields["token"] } == ["test-publish", nil, nil])
            for request in requests {
                #expect(request.fields["client"] == "127.0.0.1")
                #expect(request.fields["milliseconds"]?.wholeMatch(of: /\d+\.\d{3}/) != nil)
            }
            #expect(!lines.entries.contains { $0.fields.values.contains { $0.contains(token) } })
        }
    }
}
