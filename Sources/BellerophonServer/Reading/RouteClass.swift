/// The class under which a request is counted. The number of classes does not depend on the clients' requests.
package enum RouteClass: Int, Sendable, CaseIterable {
    case status, events, meta, data, alive, ready, metrics, publish, journal, resources, other

    /// The label in the metrics.
    package var label: String { "\(self)" }
}
