import BellerophonStore
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOTLS
import TestSupport
import Testing

@testable import BellerophonServer

/// TLS handshakes that are never completed.
@Suite struct HandshakeTests {
    private let folder: TestFolder
    private let store: Store

    init() throws {
        folder = try TestFolder()
        store = try Store(folder: folder.url.appendingPathComponent("store"), creates: true)
    }

    private func connection() throws -> (channel: EmbeddedChannel, state: LoopState) {
        let channel = EmbeddedChannel()
        let readModel = ReadModel(try store.snapshot(), settings: ReadSettings())
        let state = LoopState(channel.embeddedEventLoop, readModel) { $0.limits.headerTime = .zero }
        try channel.pipeline.syncOperations.addHandler(ConnectionHandler(state, isSecure: true))
        channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 1), promise: nil)
        return (channel, state)
    }

    @Test func isEndedInTimeUnlessItIsDone() throws {
        let silent = try connection()
        #expect(silent.channel.isActive)
        silent.state.tick()
        #expect(!silent.channel.isActive)
        let done = try connection()
        done.channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
        done.state.tick()
        #expect(done.channel.isActive, "a connection may wait for its first request")
    }

    /// All other limits are longer than the test's patience.
    @Test func aClientThatSaysNothingIsHungUpOn() async throws {
        let (key, certificate) = try await TestCertificate.make(in: folder)
        try await LiveServer.run({ configuration in
            configuration.tls = TLSFiles(certificate: certificate, key: key)
            configuration.limits.headerTime = .milliseconds(200)
            configuration.limits.idleTime = .seconds(3600)
            configuration.limits.stallTime = .seconds(3600)
        }) { live in
            let end = try await live.talk { try $0.readToEnd() }
            #expect(end == .closed(""))
        }
    }
}
