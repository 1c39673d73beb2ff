import Bellerophon
import Foundation
import StatusModel
import TestSupport
import Testing

/// Whom the views name as the sender of a message.
@MainActor @Suite struct StatusSenderTests {
    /// An app that fetches its statuses by itself.
    private final class Delegate: BellerophonManagerDelegate {
        var sender: String?

        init(_ sender: String?) { self.sender = sender }

        var statusSender: String? { sender }

        func bellerophonStatus(
            _ manager: BellerophonManager,
            completion: @escaping @Sendable (_ status: (any BellerophonObservable)?, _ error: (any Error)?) -> Void
        ) {
            completion(Model(killed: true, message: "Back at 14:30."), nil)
        }
    }

    private func content(_ delegate: Delegate, source: (any StatusSource)? = nil) -> OverlayContent? {
        let window = RecordingWindow()
        var config = BellerophonConfig(window: window, killSwitchView: NamedView("kill"), delegate: delegate)
        config.source = source
        config.app = AppInfo(name: "notes")
        let manager = BellerophonManager(config: config, clock: ManualClock(), generator: Halfway())
        manager.checkAppStatus()
        return withExtendedLifetime(manager) { window.content }
    }

    @Test("A delegate says from whom its statuses are, and the views name it")
    func delegateSays() {
        let content = content(Delegate("status.example.com"))
        #expect(content?.host == "status.example.com" && content?.source == "status.example.com")
    }

    @Test("Without a word of the delegate, the app is the sender", arguments: [nil, "", " \n\t"])
    func nothingSaid(sender: String?) {
        let content = content(Delegate(sender))
        #expect(content?.host == "notes" && content?.source == "notes")
    }

    @Test("A source says it itself")
    func sourceSays() {
        let source = ClosureSource(name: "demo.local/status", host: "demo.local") { $0(.success(StatusReply(.killed()))) }
        let content = content(Delegate("elsewhere"), source: source)
        #expect(content?.host == "demo.local" && content?.source == "demo.local/status")
    }

    @Test("What a delegate says is one short line that is safe to draw")
    func hostileSender() throws {
        let host = try #require(content(Delegate("a\u{1B}[31m\nb\u{202E} " + String(repeating: "x", count: 1000)))?.host)
        #expect(host.utf8.count <= 253 && host.hasSuffix("…"))
        #expect(!host.contains("\u{1B}") && !host.contains("\n") && !host.contains("\u{202E}"))
    }
}
