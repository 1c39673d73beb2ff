import BellerophonStore
import BellerophonTrust
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

    @Test("A client that has the status is not told again", arguments: [("/events", "/events.jws"), ("/events.jws", "/events")])
    func knownStatusIsNotSent(path: String, otherForm: String) async throws {
        let folder = try TestFolder()
        let key = folder.url.appendingPathComponent("key.jwk")
        try SigningKey.generate().write(newFile: key)
        try await LiveServer.talk({
            $0.signingKey = key.path; $0.heartbeat = .milliseconds(50)
        }) { first, live in
            try first.openStream(path)
            let id = try #require(try first.read(through: "\n\n").firstMatch(of: /id: (\S+)/)?.1)
            let second = try WireClient(port: live.port)
            try second.get(path, "Last-Event-ID: \(id)")
            #expect(try second.readHead().contains("\r\nBellerophon-Heartbeat: 1\r\n"))
            #expect(try second.read(through: "\n\n") == "retry: 3000\n\n")
            #expect(try second.read(through: "\n\n") == ": heartbeat\n\n")
            // The other form of the stream has another event.
            let third = try WireClient(port: live.port)
            try third.get(otherForm, "Last-Event-ID: \(id)")
            _ = try third.readHead()
            _ = try third.read(through: "\n\n")
            #expect(try third.read(through: "\n\n").hasPrefix("event: status\n"))
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
            try await eventually("a free place after the end of the first stream") {
                try await live.talk { client in
                    try client.get("/events")
                    return try client.readHead().hasPrefix("HTTP/1.1 200 ") ? () : nil
                }
            }
        }
    }
}
