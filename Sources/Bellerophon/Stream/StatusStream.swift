import BellerophonBase
public import Foundation
import StatusModel

/// Pushes statuses, in addition to a ``StatusSource`` that is polled.
public protocol StatusStream: Sendable {
    /// Starts one connection.
    /// - Parameters:
    ///   - lastEventID: the event id of the known status; the server need not repeat it. Nil requests the status.
    ///   - onSignal: called in order, on any thread; `.closed` comes exactly once, as the last signal.
    /// - Returns: a handle that cancels the connection.
    func connect(lastEventID: String?, onSignal: @escaping @Sendable (StreamSignal) -> Void) -> StreamConnection

    /// The stream for display: `demo.local/events`.
    var name: String { get }
}

/// A handle for a connection of a ``StatusStream``.
public struct StreamConnection: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a handle.
    /// - Parameter onCancel: ends the connection.
    public init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Ends the connection. Has no effect after the first call or after the connection's end.
    public func cancel() {
        onCancel()
    }
}

/// A signal of a stream connection.
public enum StreamSignal: Equatable, Sendable {
    /// The server has accepted the connection.
    /// - heartbeat: the interval of its heartbeats; nil if it states none.
    /// - date: the time of the server's clock (`Date`); nil if it sends none.
    case opened(heartbeat: Duration?, date: Date? = nil)
    /// A heartbeat of the server.
    case heartbeat
    /// The wait before a reconnection that the server requests.
    case retry(Duration)
    /// An event.
    case event(StreamEvent)
    /// The connection has ended, for this reason. ``StreamError/refused`` means that the server wants no further
    /// connection.
    case closed(StatusError)
}

/// One event of a stream, with its data unparsed.
public struct StreamEvent: Equatable, Sendable {
    /// `status`, `resources`, or another name of a later server version.
    public var name: String
    /// The event's data, usually JSON.
    public var data: Data
    /// The event's id; nil if the stream has no ids.
    public var id: String?
    /// When the server published the event, by the server's clock.
    package var published: PublicationDate
    /// The time of the server's clock when the event arrived: the `Date` of the stream's head, and what has passed since then. Nil if the
    /// server sent none.
    var serverDate: Date?
    /// When the event's last byte arrived; nil if not measured.
    public var receivedAt: ContinuousClock.Instant?

    /// Creates an event. A nil `publishedAt` means that the server sent no date.
    public init(
        name: String = StreamEvent.statusName, data: Data, id: String? = nil, publishedAt: Date? = nil,
        receivedAt: ContinuousClock.Instant? = nil
    ) {
        self.name = name
        self.data = data
        self.id = id
        published = publishedAt.map { .at($0) } ?? .absent
        self.receivedAt = receivedAt
    }

    /// When the server published the event, by the server's clock; nil if the date is absent or unreadable.
    public var publishedAt: Date? { published.date }

    /// The name of events that contain a status document.
    public static let statusName = "status"
    /// The name of events that announce a new version of a resource.
    public static let resourcesName = "resources"

    /// The resource that has a new version; nil for other events and unreadable data.
    public var resource: ResourceNotice? {
        guard name == Self.resourcesName, case .object(let fields) = JSONValue(parsing: data),
            case .string(let resource) = fields["name"], !resource.isEmpty
        else { return nil }
        switch fields["v"] {
        case .number(let version): return Int64(exactly: version).map { ResourceNotice(name: resource, version: $0) }
        case .string(let text): return Int64(text).map { ResourceNotice(name: resource, version: $0) }
        default: return nil
        }
    }
}

/// Announces a new version of a resource: `{"name":"help.txt","v":5}`.
public struct ResourceNotice: Equatable, Sendable {
    /// The resource's name, not sanitised: not safe to display or to use as a file name.
    public let name: String
    /// The number of the new version.
    public let version: Int64

    /// Creates a notice.
    package init(name: String, version: Int64) {
        self.name = name
        self.version = version
    }
}
