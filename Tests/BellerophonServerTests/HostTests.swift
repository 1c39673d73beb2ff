import BellerophonStore
import Foundation
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import BellerophonServer

/// The replies that an event loop caches by host name.
@Suite struct HostTests {
    @Test("A reply for an invalid host name is not cached")
    func invalidHostIsNotCached() async throws {
        let folder = try TestFolder()
        let store = try Store(folder: folder.url.appendingPathComponent("store"), creates: true)
        try await store.put("help.txt", "one")
        let state = LoopState(EmbeddedEventLoop(), ReadModel(try store.snapshot(), settings: ReadSettings()))
        let path = "/GBCloudBoxResourcesMeta/help.txt"
        for number in 1...100 {
            let found = state.replies.reply(path, host: "/\(number)" + String(repeating: "a", count: 15_000))
            let reply = try #require(found)
            #expect(String(decoding: reply.body, as: UTF8.self).contains(#""url":"/GBCloudBoxResourcesData/help.txt/1""#))
        }
        #expect(state.replies.replies.count == 1)
        for _ in 1...3 {
            let found = state.replies.reply(path, host: "status.example.com")
            let reply = try #require(found)
            #expect(String(decoding: reply.body, as: UTF8.self).contains(#""url":"http://status.example.com/"#))
        }
        #expect(state.replies.replies.count == 2)
    }
}
