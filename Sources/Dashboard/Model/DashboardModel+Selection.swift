import Bellerophon

extension DashboardModel {
    /// The events that pass the filter, newest first.
    var shownEvents: [EventRecord] {
        let newestFirst = service.history.events.reversed()
        guard view.filter.isActive else { return Array(newestFirst) }
        return newestFirst.filter { view.filter.matches(EventLine($0, in: screen.timeZone).text) }
    }

    /// The event in the inspector: the selected one, else the newest.
    var inspectedEvent: EventRecord? {
        let events = shownEvents
        return events.isEmpty ? nil : events[view[.events].record.index(in: events.map(\.id))]
    }
}
