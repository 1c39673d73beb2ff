import BellerophonBase
public import Foundation
import StatusModel

/// Where statuses are pushed from, beside a ``StatusSource`` that is asked for them.
public protocol StatusStream: Sendable {
    /// Starts one connection.
    /// - Parameters:
    ///   - lastEventID: the id of the status that is known already, so that the server need not repeat it.
    ///   - onSignal: called in order, on any thread; `.closed` comes once and last.
    /// - Returns: cancels the connection when nobody listens any longer.
    func connect(lastEventID: String?, onSignal: @escaping @Sendable (StreamSignal) -> Void) -> StreamConnection

    /// The stream as a person reads it: `demo.local/events`.
    var name: String { get }
}

/// A connection of a ``StatusStream``.
public struct StreamConnection: Sendable {
    private let onCancel: @Sendable () -> Void

    public init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Ends the connection. Cancelling twice, or after its end, does nothing.
    public func cancel() {
        onCancel()
    }
}

/// What happens on one connection of a stream.
public enum StreamSignal: Equatable, Sendable {
    /// The server has accepted.
    /// - heartbeat: how often it shows that it is there, where it says so.
    case opened(heartbeat: Duration?)
    /// The server shows that it is still there.
    case heartbeat
    /// The wait before a reconnection that the server asks for.
    case retry(Duration)
    case event(StreamEvent)
    /// The connection is over, for this reason. With ``StreamError/refused`` there must be no other.
    case closed(StatusError)
}

/// One event of a stream, as it came.
public struct StreamEvent: Equatable, Sendable {
    /// `status`, `resources`, or another that a later server may send.
    public var name: String
    /// What it says: JSON, unread.
    public var data: Data
    /// Nil where the stream gives no ids.
    public var id: String?
    /// When the server published it, by the server's clock.
    public var published: PublicationDate
    /// When its last byte came; nil where nobody measured it.
    public var receivedAt: ContinuousClock.Instant?

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

    /// An event whose field for the date may be absent or unreadable.
    init(name: String, data: Data, id: String?, publishedAt: PublicationDate?, receivedAt: ContinuousClock.Instant?) {
        self.init(name: name, data: data, id: id, receivedAt: receivedAt)
        published = publishedAt ?? .absent
    }

    /// When the server published it, by the server's clock; nil where it doesn't say, or not readably.
    public var publishedAt: Date? { published.date }

    /// The name of an event whose data is a status document.
    public static let statusName = "status"
    /// The name of an event that tells of a new version of a resource.
    public static let resourcesName = "resources"

    /// The resource that has a new version; nil where the event is none of that kind or can't be read.
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

/// A resource of the server's has a new version: `{"name":"help.txt","v":5}`.
public struct ResourceNotice: Equatable, Sendable {
    /// As the server spells it: not yet safe to draw or to use as a file's name.
    public let name: String
    public let version: Int64

    public init(name: String, version: Int64) {
        self.name = name
        self.version = version
    }
}
