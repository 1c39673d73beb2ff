import Foundation
import NIOCore

/// The replies of a read model, each with the present date and rendered at the first request for it in a second. It is used on one
/// thread only.
struct ReplyCache {
    var readModel: ReadModel {
        didSet { replies.removeAll(keepingCapacity: true) }
    }
    private(set) var date = ""
    private var second = 0
    private var replies: [String: PrerenderedReply] = [:]

    init(_ readModel: ReadModel) {
        self.readModel = readModel
        updateDate()
    }

    var count: Int { replies.count }

    mutating func updateDate() {
        let present = time(nil)
        guard present != second else { return }
        second = present
        date = HTTPDate.text(Int64(present))
        replies.removeAll(keepingCapacity: true)
    }

    /// The reply to a path.
    mutating func reply(_ path: String) -> PrerenderedReply? { reply(path) { $0.reply(path) } }

    /// The reply to a path whose content depends on the `Host` field. All values that are no valid host share one
    /// reply, so that only hosts are cached.
    mutating func reply(_ path: String, host: String) -> PrerenderedReply? {
        let host = ReadModel.isHost(host) ? host : ""
        return reply("\(host) \(path)") { $0.reply(path, host: host) }
    }

    private mutating func reply(_ key: String, _ find: (ReadModel) -> PrerenderedReply?) -> PrerenderedReply? {
        if let reply = replies[key] { return reply }
        guard let reply = find(readModel) else { return nil }
        reply.date = date
        // Channels without a publish have a reply each. The limit keeps invented names from filling the memory.
        if replies.count >= 512 { replies.removeAll(keepingCapacity: true) }
        replies[key] = reply
        return reply
    }
}
