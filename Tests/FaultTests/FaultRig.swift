import Bellerophon
import Foundation
import TerminalUI
import TestSupport
import Testing

/// An app with the real manager, the real source and a hostile server; only the clock between checks is simulated.
@MainActor
final class FaultRig {
    let window = CoverWindow()
    let clock = ManualClock()
    let manager: BellerophonManager
    private let reports = Watched<[StatusReport]>([])

    init(_ source: any StatusSource, store: (any StatusStore)? = nil) {
        var config = BellerophonConfig(
            window: window, killSwitchView: CoverView("kill"), forceUpdateView: CoverView("update"), source: source
        )
        config.languages = LanguagePreference([])
        config.store = store
        config.transport = .poll
        // Exact waits; the backoff has its own random part.
        config.policy = PollPolicy(jitter: 0)
        manager = BellerophonManager(config: config, clock: clock, generator: SplitMix64(seed: 5))
        manager.onReport = { [reports] report in reports.update { $0.append(report) } }
    }

    /// How a check ended.
    enum End: Equatable, Sendable {
        case success(StatusReply)
        case failure(StatusError)
    }

    /// Starts a check and waits for its end.
    func performCheck(file: StaticString = #fileID, line: UInt = #line, start: () -> Void) async throws -> End {
        let before = reports.value.count
        start()
        return try await reports.wait(for: "end of the check", within: patience, file: file, line: line) { reports in
            for report in reports.dropFirst(before) {
                switch report {
                case .checkSucceeded(_, let reply, _): return .success(reply)
                case .checkFailed(_, let error): return .failure(error)
                default: continue
                }
            }
            return nil
        }
    }

    /// Repeats checks until a valid status has led to the stage: on a slow machine a short deadline may fail a check.
    func settle(on stage: Stage, file: StaticString = #fileID, line: UInt = #line) async throws {
        for _ in 0..<60 where manager.machine.stage != stage {
            _ = try await performCheck(file: file, line: line) { manager.check(.person) }
        }
        guard manager.machine.stage == stage else {
            throw TestError("the app is \(manager.machine.stage) and not \(stage)", at: Place(file: file, line: line))
        }
    }

    /// The expected window content: none, the kill view or the update view.
    static func cover(for stage: Stage) -> String? {
        switch stage {
        case .unknown, .active: nil
        case .killed: "kill"
        case .updateRequired: "update"
        }
    }
}

/// A window that only records the view that covers the app.
@MainActor
final class CoverWindow: OverlayWindow {
    weak var responder: (any OverlayResponder)?
    private(set) var shown: String?
    private(set) var content: OverlayContent?

    func present(_ view: any OverlayView, content: OverlayContent) {
        shown = (view as? CoverView)?.name
        self.content = content
    }

    func update(_ content: OverlayContent) { self.content = content }
    func dismiss() { (shown, content) = (nil, nil) }
}

@MainActor
final class CoverView: OverlayView {
    let name: String

    init(_ name: String) { self.name = name }

    func draw(_ content: OverlayContent, in frame: inout Frame) {}
}
