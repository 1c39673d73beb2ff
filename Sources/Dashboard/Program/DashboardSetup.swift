import Bellerophon
import BellerophonCurses
import CloudBox
import Foundation

/// The parameters of a dashboard.
package struct DashboardSetup {
    package var configuration: Configuration
    package var source: any StatusSource
    /// The stream of statuses, if the configuration defines one.
    package var stream: (any StatusStream)?
    package var store: (any StatusStore)?
    /// The status that applies until a server has sent one, in this run or an earlier one.
    package var bundledStatus: Data?
    /// The folder for content, and the servers of newer content.
    package var content: CloudBoxConfiguration
    /// Replaces the server; nil uses the real one.
    package var simulation: Simulation?
    /// The folders for this program's control socket, in order of preference. It is created only for a simulation.
    package var controlFolders: [ControlFolder] = []
    /// The file to which changes of stage are appended.
    package var journal: JournalFile?
    /// Receives the source's exchanges. The dashboard finishes it and shows its problems.
    package var recorder: Recorder?

    package init(
        _ configuration: Configuration, source: any StatusSource, store: (any StatusStore)?, content: CloudBoxConfiguration
    ) {
        self.configuration = configuration
        self.source = source
        self.store = store
        self.content = content
    }
}

extension DashboardSetup {
    /// The manager's configuration.
    /// - Parameter window: nil for a program without a screen.
    @MainActor
    func managerConfig(window: (any OverlayWindow)?) -> BellerophonConfig {
        var config = BellerophonConfig(window: window, source: source)
        if window != nil {
            config.killSwitchView = KillSwitchView()
            config.forceUpdateView = ForceUpdateView()
        }
        config.policy = configuration.policy
        config.freshness = configuration.freshness
        config.bundledStatus = bundledStatus
        // A simulated server sends only complete bodies.
        config.transport = simulation == nil ? configuration.transport : .poll
        config.stream = stream
        config.app = configuration.app
        config.store = store
        config.isSimulated = simulation != nil
        config.reducesMotion = configuration.display.motion == .reduced
        return config
    }
}
