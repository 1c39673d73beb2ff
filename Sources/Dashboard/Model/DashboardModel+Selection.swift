import Bellerophon

extension DashboardModel {
    /// The events that pass the filter, newest first.
    var shownEvents: [EventRecord] {
        EventsPane().shown(in: self).map(\.item)
    }

    /// The event in the inspector: the selected one, else the newest.
    var inspectedEvent: EventRecord? {
        let events = shownEvents
        return events.isEmpty ? nil : events[view[.events].record.index(in: events.map(\.id))]
    }
}
