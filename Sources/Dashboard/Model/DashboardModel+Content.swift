extension DashboardModel {
    /// Takes new content. Moves the focus if its pane is now hidden, and limits the scroll offset.
    mutating func follow(_ content: DashboardContent) {
        screen.content = content
        leaveHiddenPane()
        view.scroll = min(view.scroll, scrollLimit)
    }

    mutating func follow(_ rows: [ResourceRow]) {
        screen.resources = rows
        for index in services.indices {
            services[index].view[.resources].row = min(services[index].view[.resources].row, max(0, rows.count - 1))
        }
        leaveHiddenPane()
    }

    mutating func leaveHiddenPane() {
        if !panes.contains(view.focus), view.focus != .inspector { view.focus = .events }
    }
}
