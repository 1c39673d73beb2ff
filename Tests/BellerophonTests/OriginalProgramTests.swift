import Bellerophon
import TerminalUI
import Testing

/// A program as written for the original library: no main-actor annotation, no `@Sendable`, its own result name. Half
/// of the test is that it compiles (`any` is required by this package's own strict setting).
private class AppDelegate: BellerophonManagerDelegate {
    let window = RecordingWindow()
    var killSwitchManager: BellerophonManager?
    var didReceiveForceUpdate = false

    func applicationDidFinishLaunching() {
        let config = BellerophonConfig(window: window, killSwitchView: NamedView("kill"), delegate: self)
        killSwitchManager = BellerophonManager(config: config)
        killSwitchManager?.checkAppStatus()
    }

    func application(performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void) {
        killSwitchManager?.fetchAppStatus { result in
            completionHandler(result)
        }
    }

    func bellerophonStatus(
        _ manager: BellerophonManager, completion: @escaping ((any BellerophonObservable)?, (any Error)?) -> ()
    ) {
        completion(BellerophonModel(), nil)
    }

    func shouldForceUpdate() {
        didReceiveForceUpdate = true
    }
}

private class BellerophonModel: BellerophonObservable {
    func apiInactive() -> Bool { return true }
    func forceUpdate() -> Bool { return false }
    func retryInterval() -> Double { return 20 }
    func userMessage() -> String { return "Bummer! Check back in a little while." }
}

@MainActor
@Suite("A program written for the original")
struct OriginalProgramTests {
    @Test func isKilledAsItWas() {
        let app = AppDelegate()
        app.applicationDidFinishLaunching()
        #expect(app.window.shown == "kill")
        #expect(app.window.content?.message == "Bummer! Check back in a little while.")
        var result: UIBackgroundFetchResult?
        app.application { result = $0 }
        #expect(result == .noData)
    }
}
