import Bellerophon
import CloudBox
import Foundation

/// What a dashboard is started with.
package struct DashboardSetup {
    package var configuration: Configuration
    package var source: any StatusSource
    /// Where statuses are pushed from, where the configuration says so.
    package var stream: (any StatusStream)?
    package var store: (any StatusStore)?
    /// The status that counts where neither a server nor an earlier run is known.
    package var bundledStatus: Data?
    /// Where content is kept, and which servers are asked for newer content.
    package var content: CloudBoxConfiguration
    /// Answers in place of a server; nil asks the real one.
    package var simulation: Simulation?
    /// Where scripts may find this program's socket, the best place first. It is made only for a simulation.
    package var controlFolders: [ControlFolder] = []
    /// Where the changes of stage are appended to.
    package var journal: JournalFile?
    /// Is told by the source. The dashboard finishes it and shows its problems.
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
