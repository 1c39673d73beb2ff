extension DashboardModel {
    /// Takes new content. Moves the focus if its pane is now hidden, and limits the scroll offset.
    mutating func follow(_ content: DashboardContent) {
        self.content = content
        leaveHiddenPane()
        scroll = min(scroll, scrollLimit)
    }

    mutating func follow(_ rows: [ResourceRow]) {
        resources = rows
        resourceCursor = min(resourceCursor, max(0, rows.count - 1))
        leaveHiddenPane()
    }

    private mutating func leaveHiddenPane() {
        if focus.isFocusable, !panes.contains(focus), focus != .inspector { focus = .events }
    }

    func sync(_ name: String?) -> [DashboardEffect] {
        resources.isEmpty ? [] : [.sync(name)]
    }

    /// The panes to show if there is room.
    var shownPanes: DashboardLayout.Panes {
        DashboardLayout.Panes(
            choices: hasScenarios ? .scenarios : services.isEmpty ? nil : .services,
            resources: content.hidden.contains(.resources) ? 0 : resources.count,
            hasLatency: !content.hidden.contains(.latency), hasTransitions: !content.hidden.contains(.transitions)
        )
    }
}
