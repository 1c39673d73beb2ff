#if Server
/// What a request is counted as: few values, whatever clients ask for.
package enum RouteClass: Int, Sendable, CaseIterable {
    case status, events, meta, data, alive, ready, metrics, publish, journal, resources, other

    /// The label in the metrics.
    package var label: String { "\(self)" }
}
#endif
