import Bellerophon
import BellerophonCurses
import CloudBox
import Foundation
import LocalControl
import ProgramKit
import ScenarioKit

/// The parameters of a dashboard.
package struct DashboardSetup {
    /// The settings of the program as a whole.
    package var configuration: Configuration
    /// The statuses to watch, at least one.
    package var services: [ServiceSetup]
    /// The folder for content, and the servers of newer content.
    package var content: CloudBoxConfiguration
    /// Replaces the server; nil uses the real one.
    package var simulation: Simulation?
    /// The folders for this program's control socket, in order of preference. It is created only for a simulation.
    package var controlFolders: [SocketFolder] = []
    /// The scenarios that the tester has marked.
    package var bookmarks: BookmarkFile?
    /// Where what the person chooses is kept.
    package var choiceFiles = ChoiceFiles()
    /// The file to which changes of stage are appended.
    package var journal: SessionLogFile?
    /// Receives the source's exchanges. The dashboard finishes it and shows its problems.
    package var recorder: Recorder?
    /// Records the screen. The dashboard finishes it and shows its problem.
    package var tape: TapeRecorder?
    /// What is presented to an audience. The simulation must have its timeline.
    package var presentation: Presentation?

    /// - Precondition: there is at least one service.
    package init(_ configuration: Configuration, services: [ServiceSetup], content: CloudBoxConfiguration) {
        precondition(!services.isEmpty)
        self.configuration = configuration
        self.services = services
        self.content = content
    }
}

/// One status to watch.
package struct ServiceSetup {
    package var configuration: Configuration
    package var source: any StatusSource
    /// The stream of statuses, if the configuration defines one.
    package var stream: (any StatusStream)?
    package var store: (any StatusStore)?
    /// The status that applies until a server has sent one, in this run or an earlier one.
    package var bundledStatus: Data?

    package init(_ configuration: Configuration, source: any StatusSource, store: (any StatusStore)?) {
        self.configuration = configuration
        self.source = source
        self.store = store
    }
}

extension ServiceSetup {
    /// The manager's configuration.
    /// - Parameter window: nil for a program without a screen.
    @MainActor
    func managerConfig(window: (any OverlayWindow)?, in program: DashboardSetup) -> BellerophonConfig {
        var config = BellerophonConfig(window: window, source: source)
        if window != nil {
            let keys = program.configuration.display.keys
            config.killSwitchView = KillSwitchView(keys: keys.killView)
            config.forceUpdateView = ForceUpdateView(keys: keys.updateView)
        }
        config.take(configuration, program.configuration.display, isSimulated: program.simulation != nil)
        config.bundledStatus = bundledStatus
        config.stream = stream
        config.app = configuration.app
        config.app.mayLoseWork = false
        config.store = store
        return config
    }
}
