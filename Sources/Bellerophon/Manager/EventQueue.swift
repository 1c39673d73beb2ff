/// The events that a machine has not handled yet.
///
/// Performing the actions of one event may cause another event. It waits until those actions are complete.
struct EventQueue<Event> {
    private var events: [Event] = []
    private var isInUse = false

    /// Adds an event.
    /// - Returns: whether the caller must now handle the events of ``next()`` until it returns nil. False if an earlier
    ///   caller does so already.
    mutating func add(_ event: Event) -> Bool {
        events.append(event)
        guard !isInUse else { return false }
        isInUse = true
        return true
    }

    /// Removes and returns the oldest event; nil if none is left.
    mutating func next() -> Event? {
        isInUse = !events.isEmpty
        return events.isEmpty ? nil : events.removeFirst()
    }
}
