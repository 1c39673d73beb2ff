import Foundation

/// The replies of a read model, each with the present date and rendered at the first request for it in a second. It is used on one
/// thread only.
struct ReplyCache {
    var readModel: ReadModel {
        didSet { replies.removeAll(keepingCapacity: true) }
    }
    private(set) var date = ""
    private var second = 0
    private(set) var replies: [String: PrerenderedReply] = [:]

    init(_ readModel: ReadModel) {
        self.readModel = readModel
        updateDate()
    }

    mutating func updateDate() {
        let present = time(nil)
        guard present != second else { return }
        second = present
        date = HTTPDate.text(Int64(present))
        replies.removeAll(keepingCapacity: true)
    }

    /// The reply to a path.
    /// - Parameter host: the `Host` field, for a path whose content depends on it. All values that are no valid host share one reply,
    ///   so that only hosts are cached.
    mutating func reply(_ path: String, host: String? = nil) -> PrerenderedReply? {
        let host = host.map { ReadModel.isHost($0) ? $0 : "" }
        let key = host.map { "\($0) \(path)" } ?? path
        if let reply = replies[key] { return reply }
        let found = if let host { readModel.reply(path, host: host) } else { readModel.reply(path) }
        guard let reply = found else { return nil }
        reply.date = date
        // Channels without a publish have a reply each. The limit keeps invented names from filling the memory.
        if replies.count >= 512 { replies.removeAll(keepingCapacity: true) }
        replies[key] = reply
        return reply
    }
}
