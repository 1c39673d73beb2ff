import Bellerophon

extension DashboardModel {
    /// The events that pass the filter, newest first.
    var shownEvents: [EventRecord] {
        let newestFirst = history.events.reversed()
        guard filter.isActive else { return Array(newestFirst) }
        return newestFirst.filter { filter.matches(EventLine($0, in: timeZone).text) }
    }

    /// The event in the inspector: the selected one, else the newest.
    var inspectedEvent: EventRecord? {
        let events = shownEvents
        return events.isEmpty ? nil : events[eventSelection.index(in: events.map(\.id))]
    }
}
