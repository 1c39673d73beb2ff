#if Server
import BellerophonStore
@testable import BellerophonServer
import Foundation
import Logging
import TestSupport
import Testing

/// The server's behaviour when a resource's file was truncated or removed.
@Suite struct DamagedFileTests {
    @Test func aFileThatIsNotAsItWasPublishedIsNotSent() async throws {
        let lines = LogLines()
        try await LiveServer.run(log: lines) { live in
            let token = try await live.token()
            #expect(try await live.talk { try $0.put("/v1/resources/help.txt", "three", token: token) }.code == 201)
            let resource = try #require(try live.store.resource("help.txt"))
            let file = try #require(live.store.file(for: resource))
            let damages: [(found: String, damage: @Sendable () throws -> Void)] = [
                ("2", { try Data("th".utf8).write(to: file) }), ("no file", { try FileManager.default.removeItem(at: file) }),
            ]
            for (found, damage) in damages {
                try damage()
                try await live.talk { client in
                    for fields in ["Range: bytes=0-1", "Accept: */*"] {
                        try client.get("/GBCloudBoxResourcesData/help.txt/1", fields)
                        let refused = try client.answer()
                        #expect(refused.code == 500)
                        #expect(refused.body.contains("the server's file of this resource is damaged"))
                        #expect(refused.field("Cache-Control") == "no-store")
                    }
                }
                let line = try #require(lines.entries.last { $0.level == .error })
                #expect(line.fields["resource"] == "help.txt")
                #expect(line.fields["version"] == "1")
                #expect(line.fields["expected"] == "5")
                #expect(line.fields["found"] == found)
            }
            // The log reports it.
            try await live.talk { client in
                #expect(try client.put("/v1/resources/help.txt", "three", token: token).code == 200)
                try client.get("/GBCloudBoxResourcesData/help.txt/1")
                #expect(try client.answer().body == "three")
            }
        }
    }
}
#endif
