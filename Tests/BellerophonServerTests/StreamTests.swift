import BellerophonStore
import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

@Suite struct StreamTests {
    @Test("A stream begins with the status and sends every change of its scope")
    func streamSendsEveryChange() async throws {
        try await LiveServer.talk { stream, token, live in
            try stream.get("/events")
            let head = try stream.readHead()
            #expect(head.contains("\r\nContent-Type: text/event-stream; charset=utf-8\r\n"))
            #expect(head.contains("\r\nBellerophon-Heartbeat: 15\r\n"))
            #expect(head.contains("\r\nX-Accel-Buffering: no\r\n"))
            #expect(try stream.read(through: "\n\n") == "retry: 3000\n\n")
            let first = try stream.read(through: "\n\n")
            #expect(first.hasPrefix("event: status\nid: 0-"))
            let operatorClient = try WireClient(port: live.port)
            let answer = try operatorClient.put("/status", #"{"action":"kill","message":"Now."}"#, token: token)
            let entry = try StoreJSON.value(JournalEntry.self, from: Data(answer.body.utf8))
            let event = try stream.read(through: "\n\n")
            #expect(event.hasPrefix("event: status\nid: \(entry.id)-"))
            #expect(event.hasSuffix("\ndata: \(entry.document ?? "")\n\n"))
            _ = try operatorClient.put("/v1/resources/help.txt", "one", token: token)
            #expect(try stream.read(through: "\n\n") == "event: resources\ndata: {\"name\":\"help.txt\",\"v\":1}\n\n")
            // A change in another scope sends nothing here.
            _ = try operatorClient.put("/v1/apps/shop/status?new=true", #"{"action":"kill"}"#, token: token)
            _ = try operatorClient.put("/status", #"{"action":"restore"}"#, token: token)
            #expect(try stream.read(through: "\n\n").contains(#""apiInactive":false"#))
        }
    }

    @Test func aChannelsStreamTellsOfItsApp() async throws {
        try await LiveServer.talk { stream, token, live in
            let operatorClient = try WireClient(port: live.port)
            _ = try operatorClient.put("/v1/apps/shop/status?new=true", #"{"action":"restore"}"#, token: token)
            try stream.openStream("/v1/apps/shop/channels/beta/events")
            _ = try stream.read(through: "\n\n")
            _ = try operatorClient.put("/v1/apps/shop/status?new=true", #"{"action":"kill","message":"All."}"#, token: token)
            #expect(try stream.read(through: "\n\n").contains(#""userMessage":"All.""#))
        }
    }

    @Test func aClientThatHasTheStatusIsNotToldAgain() async throws {
        try await LiveServer.talk({ $0.heartbeat = .milliseconds(50) }) { first, live in
            try first.openStream()
            let event = try first.read(through: "\n\n")
            let id = try #require(event.firstMatch(of: /id: (\S+)/)?.1)
            let second = try WireClient(port: live.port)
            try second.get("/events", "Last-Event-ID: \(id)")
            #expect(try second.readHead().contains("\r\nBellerophon-Heartbeat: 1\r\n"))
            #expect(try second.read(through: "\n\n") == "retry: 3000\n\n")
            #expect(try second.read(through: "\n\n") == ": heartbeat\n\n")
            let third = try WireClient(port: live.port)
            try third.get("/events", "Last-Event-ID: 7-00000000")
            _ = try third.readHead()
            _ = try third.read(through: "\n\n")
            #expect(try third.read(through: "\n\n").hasPrefix("event: status\nid: \(id)\n"))
        }
    }

    @Test func aPublishByAnotherProcessReachesAStream() async throws {
        try await LiveServer.run { live in
            let opened = Watched(false)
            let reading = Task {
                try await live.talk { stream in
                    try stream.openStream()
                    _ = try stream.read(through: "\n\n")
                    opened.update { $0 = true }
                    return try stream.read(through: "\n\n")
                }
            }
            _ = try await opened.wait(for: "stream") { $0 ? true : nil }
            let entry = try await Store(folder: live.store.folder, creates: true).publish(
                Publication(action: .update, requiredVersion: "2.0"), by: "console")
            #expect(try await reading.value.hasSuffix("\ndata: \(entry.document ?? "")\n\n"))
        }
    }

    @Test("A stream over the limit gets HTTP 503 while polling continues")
    func excessStreamIsRefused() async throws {
        try await LiveServer.run({ $0.limits.streams = 1 }) { live in
            try await live.talk { first in
                try first.get("/events")
                _ = try first.readHead()
                let second = try WireClient(port: live.port)
                let answer = try second.answer(to: "/events")
                #expect(answer.code == 503)
                #expect(answer.field("Retry-After") == "5")
                let third = try WireClient(port: live.port)
                #expect(try third.answer(to: "/status").code == 200)
            }
            // The place is free again after the first stream ends.
            try await live.talk { _ in
                let deadline = ContinuousClock.now + patience
                var code = 0
                repeat {
                    let client = try WireClient(port: live.port)
                    try client.get("/events")
                    code = Int(try client.readHead().split(separator: " ")[1]) ?? 0
                } while code != 200 && ContinuousClock.now < deadline
                #expect(code == 200)
            }
        }
    }

    @Test("A shutdown ends streams at once and completes requests in progress")
    func shutdownEndsStreamsFirst() async throws {
        let ends = Watched<[WireClient.End]>([])
        let opened = Watched(0)
        try await LiveServer.run({ $0.limits.shutdownTime = .seconds(120) }) { live in
            let token = try await live.token()
            Task {
                try await live.talk { stream in
                    try stream.get("/events")
                    opened.update { $0 += 1 }
                    let end = try stream.readToEnd()
                    ends.update { $0.append(end) }
                }
            }
            Task {
                try await live.talk { client in
                    try client.begin("/status", 20, token: token, body: "{\"action\"")
                    opened.update { $0 += 1 }
                    // Its body is complete only after the server was told to stop and has ended the stream.
                    let deadline = ContinuousClock.now + patience
                    while ends.value.isEmpty, ContinuousClock.now < deadline { usleep(2000) }
                    try client.send(":\"restore\"}")
                    let end = try client.readToEnd()
                    ends.update { $0.append(end) }
                }
            }
            _ = try await opened.wait(for: "clients") { $0 == 2 ? true : nil }
            try await live.talk { client in
                // Both requests are in progress in the server.
                let figures = try client.answer(to: "/metrics") {
                    $0.body.contains("bellerophon_streams 1\n") && $0.body.contains("bellerophon_active_requests 2\n")
                }
                #expect(figures.body.contains("bellerophon_streams 1\n"))
            }
        }
        _ = try await ends.wait(for: "ends") { $0.count == 2 ? true : nil }
        guard case .closed(let stream) = ends.value[0], case .closed(let publish) = ends.value[1] else {
            Issue.record("a reset")
            return
        }
        #expect(stream.contains(/\nretry: [0-9]+\n: the server is going down\n\n$/))
        #expect(publish.hasPrefix("HTTP/1.1 201 Created\r\n"))
        #expect(publish.contains("\r\nConnection: close\r\n"))
    }
}
