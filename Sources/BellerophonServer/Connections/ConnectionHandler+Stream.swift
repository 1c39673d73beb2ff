import NIOCore
import NIOHTTP1

/// The state of one event stream. A slow client needs only the newest status, and the newest change of each resource.
struct EventStreamSubscriber {
    let topic: StreamTopic
    /// Released with the stream.
    let slot: Slot
    /// The ID of the last status event that was sent.
    var eventID: String?
    var lastWrite: NIODeadline
    var hasMissedStatus = false
    /// The newest missed change of each resource, the oldest first. The oldest are dropped beyond 64; such a client catches up at its
    /// next sync.
    var missedResources: [StreamEvent] = []

    mutating func miss(_ resource: StreamEvent) {
        missedResources.removeAll { $0.resource == resource.resource }
        missedResources.append(resource)
        if missedResources.count > 64 { missedResources.removeFirst() }
    }
}

extension ConnectionHandler {
    /// Above 4096 waiting bytes no event is written; the newest are sent once the client has taken all bytes.
    private static let waiting = ChannelOptions.Types.WriteBufferWaterMark(low: 1, high: 4096)
    /// In milliseconds.
    private static let clientRetry = 3000

    /// Turns the connection into a stream.
    func openStream(_ topic: StreamTopic, _ head: HTTPRequestHead, _ facts: RequestFacts) {
        let (seconds, date) = (loop.settings.heartbeatSeconds, loop.date)
        guard head.method != .HEAD else {
            // Clients open the connection with HEAD, then request the stream on it.
            return answer(head, facts, .events) {
                (ByteBuffer(string: StreamEvent.opening(heartbeat: seconds, date: date, connection: $0.field)), 200)
            }
        }
        guard !endsAfterReply, let slot = try? loop.limiters.acquire([(.stream, limits.streams)]) else {
            loop.counts.shed += 1
            return answer(.noRoomForStream, head, facts, .events)
        }
        var stream = EventStreamSubscriber(topic: topic, slot: slot, lastWrite: loop.now)
        var bytes = ByteBuffer(string: StreamEvent.opening(heartbeat: seconds, date: date) + "retry: \(Self.clientRetry)\n\n")
        if let event = loop.readModel.statusEvent(topic) {
            stream.eventID = event.id
            if event.id != head.headers["Last-Event-ID"].last { bytes.writeImmutableBuffer(event.bytes) }
        }
        state.streamOpened()
        self.stream = stream
        shrink()
        write(bytes)
        loop.counts.add(.events, 200)
    }

    /// Reduces the connection's buffers: a stream reads no further requests and writes little.
    private func shrink() {
        let options = context?.channel.syncOptions
        try? options?.setOption(.writeBufferWaterMark, value: Self.waiting)
        try? options?.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 512))
    }

    /// Sends changes to the client, or records them as missed.
    func push(status: StreamEvent?, resources: [StreamEvent]) {
        guard stream != nil else { return }
        if let status, status.id != stream?.eventID {
            if send(status) { stream?.eventID = status.id } else { stream?.hasMissedStatus = true }
        }
        for event in resources where !send(event) { stream?.miss(event) }
        flushIfNeeded()
    }

    /// Sends missed changes once the channel is writable again.
    func sendMissed() {
        guard let missed = stream else { return }
        stream?.hasMissedStatus = false
        stream?.missedResources = []
        push(
            status: missed.hasMissedStatus ? loop.readModel.statusEvent(missed.topic) : nil, resources: missed.missedResources)
    }

    /// Sends a heartbeat if nothing was written for one heartbeat interval.
    func beat() {
        guard let stream, loop.now - stream.lastWrite >= TimeAmount(loop.settings.heartbeat) else { return }
        if send(StreamEvent.heartbeat) { flushIfNeeded() }
    }

    /// - Returns: false if the client has not taken all earlier bytes.
    private func send(_ event: StreamEvent) -> Bool {
        guard isWritable else { return false }
        stream?.lastWrite = loop.now
        write(event.bytes)
        return true
    }
}
