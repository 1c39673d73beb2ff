import Foundation

/// One connection of a ``HostileServer``, served on its own thread.
final class ServerConnection {
    enum Ending { case close, reset }

    private enum Outcome { case next, close, reset, interrupted }

    private let socket: Socket
    private let number: Int
    private let engine: ServerEngine
    private var unread: [UInt8] = []
    private var bodyBytesSent = 0

    init(socket: Socket, number: Int, engine: ServerEngine) {
        self.socket = socket
        self.number = number
        self.engine = engine
    }

    /// Serves requests until either end closes the connection.
    func serve() -> Ending {
        while let make = readRequest() {
            let (request, behaviour) = engine.begin(make)
            bodyBytesSent = 0
            let outcome = perform(behaviour, for: request)
            let ending: Exchange.Ending =
                outcome != .interrupted ? .done : engine.isRunning ? .clientLeft : .stopped
            engine.end(request, ending, bodyBytesSent: bodyBytesSent)
            switch outcome {
            case .next where request.header("Connection")?.lowercased() != "close": continue
            case .reset: return .reset
            default: return .close
            }
        }
        return .close
    }

    // MARK: Reading

    /// Reads a head of at most 64 KiB and a body of at most 1 MiB.
    /// - Returns: a closure that makes the request from its number; nil at the end of the connection.
    private func readRequest() -> (@Sendable (Int) -> Request)? {
        guard let head = readHead() else { return nil }
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        guard let body = readBody(count: headers["content-length"].flatMap(Int.init) ?? 0) else { return nil }
        let (method, path, fields, connection) = (String(words[0]), String(words[1]), headers, number)
        return { number in
            Request(
                number: number, method: method, path: path, headers: fields, body: body, time: .now,
                connection: connection
            )
        }
    }

    private func readHead() -> String? {
        let end = Array("\r\n\r\n".utf8)
        while unread.count < 65536 {
            if let range = unread.firstRange(of: end) {
                let head = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
                unread.removeSubrange(..<range.upperBound)
                return head
            }
            guard fill() else { return nil }
        }
        return nil
    }

    private func readBody(count: Int) -> [UInt8]? {
        guard (0...1_048_576).contains(count) else { return nil }
        while unread.count < count {
            guard fill() else { return nil }
        }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    private func fill() -> Bool {
        guard let bytes = socket.receive(), !bytes.isEmpty else { return false }
        unread += bytes
        return true
    }

    // MARK: Replying

    private func perform(_ behaviour: Behaviour, for request: Request) -> Outcome {
        switch behaviour {
        case .answer(let answer):
            send(answer.answering(request), for: request)
        case .after(let delay, let rest):
            socket.stayOpen(for: delay) ? perform(rest, for: request) : .interrupted
        case .stream(let feed):
            send(feed.head) ? follow(feed) : .interrupted
        case .wire(let steps):
            follow(steps)
        }
    }

    private func follow(_ steps: [WireStep]) -> Outcome {
        for step in steps {
            let isDone =
                switch step {
                case .send(let bytes): sendBody(bytes)
                case .flood(let bytes, let times): flood(bytes, times: times)
                case .drip(let bytes, let times, let interval): drip(bytes, times: times, every: interval)
                case .wait(let span): socket.stayOpen(for: span)
                case .hang: socket.stayOpen(for: nil)
                case .reset: true
                }
            if case .reset = step { return .reset }
            guard isDone else { return .interrupted }
        }
        return .close
    }

    /// Sends in batches of about 16 KiB, since single sends are too slow for a flood.
    private func flood(_ bytes: [UInt8], times: Int) -> Bool {
        let batch = max(1, min(times, 16384 / max(bytes.count, 1)))
        let many = Array(repeatElement(bytes, count: batch).joined())
        var left = times
        while left >= batch {
            guard sendBody(many) else { return false }
            left -= batch
        }
        return left == 0 || sendBody(many.prefix(left * bytes.count))
    }

    private func send(_ answer: Answer, for request: Request) -> Outcome {
        let sent = send(answer.head())
        guard answer.allowsBody, request.method != "HEAD" else { return sent ? .next : .interrupted }
        return sent && sendBody(answer.body) ? .next : .interrupted
    }

    /// A reset discards data that the client has not read, so the client gets 50 ms to read the first bytes.
    private func resetOnceRead() -> Outcome {
        socket.stayOpen(for: .milliseconds(50)) ? .reset : .interrupted
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        socket.send(bytes) == bytes.count
    }

    private func sendBody(_ bytes: some Collection<UInt8>) -> Bool {
        let sent = socket.send(bytes)
        bodyBytesSent += sent
        return sent == bytes.count
    }

    private func drip(_ bytes: [UInt8], times: Int, every interval: Duration) -> Bool {
        (0..<times).allSatisfy { _ in bytes.allSatisfy { sendBody([$0]) && socket.stayOpen(for: interval) } }
    }

    private func follow(_ feed: ServerFeed) -> Outcome {
        while true {
            switch feed.next() {
            case .bytes(let bytes)?: guard sendBody(bytes) else { return .interrupted }
            case .end?: return .close
            case .reset?: return resetOnceRead()
            case nil: guard socket.stayOpen(for: .milliseconds(5)) else { return .interrupted }
            }
        }
    }
}
