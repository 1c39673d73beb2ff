/// What a ``HostileServer`` does with one request.
public indirect enum Behaviour: Sendable {
    /// Answers as a good server does, on a connection that stays open.
    case answer(Answer)
    /// Waits before it does the rest.
    case after(Duration, Behaviour)
    /// Reads the request and never answers.
    case hang
    /// Closes the connection without a byte.
    case hangUp
    /// Sends the status line and headers byte by byte.
    case slowHead(Answer, every: Duration)
    /// Sends the head at once and the body byte by byte.
    case drip(Answer, every: Duration)
    /// Sends the head at once, then a blank every interval, for ever.
    case endlessDrip(every: Duration)
    /// Streams so many blanks, and stops when the peer is gone. `announced` says the length in the head.
    case oversized(bytes: Int, announced: Bool)
    /// Announces the whole body, sends the first bytes of it, and closes.
    case truncated(Answer, after: Int)
    /// Announces the whole body, sends the first bytes of it, and resets the connection.
    case reset(Answer, after: Int)
    /// Sends the head of an event stream at once, then what the feed is given, until it ends.
    case stream(ServerFeed)
    /// Sends these bytes in place of HTTP, and closes.
    case raw([UInt8])
    /// Does these things with the connection, one after the other, and closes it.
    case wire([WireStep])
}

/// One thing that a server does with a connection, for answers that no good server gives.
public enum WireStep: Sendable {
    case send([UInt8])
    /// Sends the bytes so many times, and stops when the peer is gone.
    case flood([UInt8], times: Int)
    /// Sends the bytes one by one.
    case drip([UInt8], every: Duration)
    case wait(Duration)
    /// Keeps the connection open until the peer leaves.
    case hang
    /// Ends the connection with a reset, at once.
    case reset

    public static func send(_ text: String) -> WireStep { .send(Array(text.utf8)) }
    public static func flood(_ text: String, times: Int) -> WireStep { .flood(Array(text.utf8), times: times) }
    public static func drip(_ text: String, every interval: Duration) -> WireStep { .drip(Array(text.utf8), every: interval) }
}

extension Behaviour {
    /// 200 with a JSON document, with a tag where one is given: a request that names the tag gets 304.
    public static func status(_ json: String, etag: String? = nil) -> Behaviour {
        .answer(Answer(headers: etag.map { ["ETag": $0] } ?? [:], text: json))
    }

    public static func json(_ json: String, status: Int = 200, headers: [String: String] = [:]) -> Behaviour {
        .answer(Answer(status: status, headers: headers, text: json))
    }

    public static func html(_ page: String = "<!doctype html><title>Sign in</title>", status: Int = 200) -> Behaviour {
        .answer(Answer(status: status, type: "text/html; charset=utf-8", text: page))
    }

    public static var noContent: Behaviour { .answer(Answer(status: 204)) }

    /// A status of failure with a JSON body, such as 500.
    public static func failure(_ status: Int) -> Behaviour {
        .answer(Answer(status: status, text: #"{"error":"\#(status)"}"#))
    }

    /// 503 or 429 that says when to come back, in seconds or as an HTTP date.
    public static func busy(status: Int = 503, retryAfter: String) -> Behaviour {
        .answer(Answer(status: status, headers: ["Retry-After": retryAfter], text: #"{"error":"busy"}"#))
    }

    /// - Parameter location: a path of the same origin, or a whole address.
    public static func redirect(to location: String, status: Int = 302) -> Behaviour {
        .answer(Answer(status: status, headers: ["Location": location]))
    }

    /// The document, compressed on the wire.
    public static func gzip(_ json: String) -> Behaviour {
        let body = Gzip.stored(Array(json.utf8))
        return .answer(Answer(headers: ["Content-Encoding": "gzip", "Content-Type": "application/json"], body: body))
    }

    /// A body that inflates to this many blanks, about 158 times its size on the wire.
    public static func gzipBomb(inflatedBytes: Int, type: String = "application/json") -> Behaviour {
        let body = Gzip.blanks(count: inflatedBytes)
        return .answer(Answer(headers: ["Content-Encoding": "gzip", "Content-Type": type], body: body))
    }

    /// Bytes that are no HTTP: the greeting of a mail server.
    public static var garbage: Behaviour { .raw(Array("220 mail.example ESMTP ready\r\n".utf8)) }
}
