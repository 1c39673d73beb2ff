import Bellerophon
import ProgramKit
import TerminalUI

/// One watched status: what is known of it, and what a person has chosen while looking at it.
package struct ServiceModel: Equatable, Sendable {
    let app: AppInfo
    /// The name of the status source, for people.
    let source: String
    /// Whether others can read and change what the source transfers; nil without a network.
    var security: TransportSecurity?
    /// Whether only signed statuses are accepted.
    var verifies = false
    var machine = StageMachine()
    /// Nil without a stream.
    var stream: StreamMachine?
    /// What the person is told; nil for nothing.
    var notice: OverlayNotice?
    /// From the publication of the last painted change of stage until its paint; nil if unknown or the clocks differ.
    var publishLatency: Duration?
    package internal(set) var history = History()
    var view = ServiceView()
}

/// What a person has opened, selected and filtered in one service. Another service has its own.
struct ServiceView: Equatable, Sendable {
    /// The content between header and footer.
    enum Page: Equatable { case panes, inspector, help, services }

    /// A temporary remark in the footer.
    struct Notice: Equatable {
        let text: String
        let until: MonotonicInstant
        var isProblem = false
    }

    var page = Page.panes
    /// The pane with the focus. What is typed into a filter stays when the focus leaves its pane.
    var focus = Pane.events {
        didSet { if focus != oldValue { self[oldValue].filter.endEditing() } }
    }
    private var panes: [Pane: PaneState] = [:]
    /// The first visible line of the inspector or the help page.
    var scroll = 0
    var notice: Notice?
    /// The titles of the entries that were chosen in the palette, the latest first.
    var recentEntries: [String] = []

    /// The filter of the pane with the focus.
    var filter: TextFilter {
        get { self[focus].filter }
        set { self[focus].filter = newValue }
    }

    /// The selection and the filter of a pane.
    subscript(pane: Pane) -> PaneState {
        get { panes[pane] ?? PaneState() }
        set { panes[pane] = newValue }
    }
}

/// What a person has selected in a pane's rows, and by what they have filtered them.
struct PaneState: Equatable {
    var filter = TextFilter()
    /// The place of the selected row in the whole list, if its rows stay in their places.
    var row = 0
    /// The selected record, in a log that grows at its top.
    var record = ListSelection()
    /// The first visible row of a list that was clicked; nil puts the selection in the middle.
    var keptTop: Int?
}
