import BellerophonStore
import NIOCore
import NIOHTTP1

/// The state of one event stream. A slow client needs only the newest status, so one flag records a missed one; of the
/// resources it needs the newest change of each.
final class EventStreamSubscriber {
    let topic: StreamTopic
    private let slot: Slot
    /// The ID of the last status event that was sent.
    var eventID: String?
    var lastWrite: NIODeadline
    var hasMissedStatus = false
    /// The newest missed change of each resource, the oldest first.
    private(set) var missedResources: [StreamEvent] = []

    /// The oldest are dropped beyond this number; such a client catches up at its next sync.
    private static let missedLimit = 64

    init(topic: StreamTopic, slot: Slot, now: NIODeadline) {
        (self.topic, self.slot) = (topic, slot)
        lastWrite = now
    }

    func miss(_ resource: StreamEvent) {
        missedResources.removeAll { $0.resource == resource.resource }
        missedResources.append(resource)
        if missedResources.count > Self.missedLimit { missedResources.removeFirst() }
    }

    func removeMissedResources() -> [StreamEvent] {
        defer { missedResources = [] }
        return missedResources
    }
}

extension ConnectionHandler {
    /// Above 4096 waiting bytes no event is written; the newest are sent once the client has taken all bytes.
    private static let waiting = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 4096)
    /// In milliseconds.
    private static let clientRetry = 3000

    /// Turns the connection into a stream.
    func openStream(_ topic: StreamTopic, _ head: HTTPRequestHead, _ facts: RequestFacts) {
        guard head.method != .HEAD else { return answerHead(facts) }
        let opening = StreamEvent.opening(heartbeat: loop.settings.heartbeatSeconds, date: loop.date)
        guard !endsAfterReply, let slot = try? loop.limiters.acquire([(.stream, limits.streams)]) else {
            loop.counts.shed += 1
            return answer(.noRoomForStream, head, facts, .events)
        }
        let stream = EventStreamSubscriber(topic: topic, slot: slot, now: loop.now)
        var bytes = ByteBuffer(string: opening + "retry: \(Self.clientRetry)\n\n")
        if let event = loop.readModel.statusEvent(topic) {
            stream.eventID = event.id
            if event.id != head.headers["Last-Event-ID"].last { bytes.writeImmutableBuffer(event.bytes) }
        }
        state.streamOpened()
        job = .stream(stream)
        shrink()
        write(bytes)
        loop.counts.add(.events, 200, bytes: bytes.readableBytes)
    }

    /// Replies to HEAD with the head of a stream. The connection stays open: clients open it with HEAD, then request the
    /// stream on it.
    private func answerHead(_ facts: RequestFacts) {
        let persistence = endsAfterReply ? .close : facts.persistence
        let head = StreamEvent.opening(
            heartbeat: loop.settings.heartbeatSeconds, date: loop.date, connection: persistence.field
        )
        write(ByteBuffer(string: head))
        loop.counts.add(.events, 200, bytes: head.utf8.count)
        if persistence == .close { end(dropsInput: false) }
    }

    /// Reduces the connection's buffers: a stream reads no further requests and writes little.
    private func shrink() {
        let options = context?.channel.syncOptions
        try? options?.setOption(.writeBufferWaterMark, value: Self.waiting)
        try? options?.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 512))
    }

    /// Sends changes to the client, or records them as missed.
    func push(status: StreamEvent?, resources: [StreamEvent]) {
        guard let stream else { return }
        if let status, status.id != stream.eventID {
            if send(status, to: stream) { stream.eventID = status.id } else { stream.hasMissedStatus = true }
        }
        for event in resources where !send(event, to: stream) { stream.miss(event) }
        flushIfNeeded()
    }

    /// Sends missed changes once the channel is writable again.
    func sendMissed() {
        guard let stream else { return }
        let status = stream.hasMissedStatus ? loop.readModel.statusEvent(stream.topic) : nil
        stream.hasMissedStatus = false
        push(status: status, resources: stream.removeMissedResources())
    }

    /// Sends a heartbeat if nothing was written for one heartbeat interval.
    func beat(_ stream: EventStreamSubscriber) {
        guard loop.now - stream.lastWrite >= TimeAmount(loop.settings.heartbeat) else { return }
        if send(StreamEvent.heartbeat, to: stream) { flushIfNeeded() }
    }

    private func send(_ event: StreamEvent, to stream: EventStreamSubscriber) -> Bool {
        guard isWritable else { return false }
        stream.lastWrite = loop.now
        write(event.bytes)
        loop.counts.addPushed(bytes: event.bytes.readableBytes)
        return true
    }
}
