/// What a ``HostileServer`` does with one request.
public indirect enum Behaviour: Sendable {
    /// Sends a correct response and keeps the connection open.
    case answer(Answer)
    /// Waits, then performs the behaviour.
    case after(Duration, Behaviour)
    /// Sends the head of an event stream immediately, then the data added to the feed, until the feed ends.
    case stream(ServerFeed)
    /// Performs these steps on the connection in order, and closes it.
    case wire([WireStep])
}

/// One step on a connection, for replies that a correct server never sends.
public enum WireStep: Sendable {
    case send([UInt8])
    /// Sends the bytes this many times, and stops when the peer is gone.
    case flood([UInt8], times: Int)
    /// Sends the bytes one by one, this many times.
    case drip([UInt8], times: Int = 1, every: Duration)
    case wait(Duration)
    /// Keeps the connection open until the peer leaves.
    case hang
    /// Resets the connection immediately.
    case reset

    public static func send(_ text: String) -> WireStep { .send(Array(text.utf8)) }
    public static func flood(_ text: String, times: Int) -> WireStep { .flood(Array(text.utf8), times: times) }
    public static func drip(_ text: String, every interval: Duration) -> WireStep { .drip(Array(text.utf8), every: interval) }
}

extension Behaviour {
    /// Reads the request and never replies.
    public static var hang: Behaviour { .wire([.hang]) }

    /// Closes the connection without sending a byte.
    public static var hangUp: Behaviour { .wire([]) }

    /// Sends these bytes instead of HTTP, and closes.
    public static func raw(_ bytes: [UInt8]) -> Behaviour { .wire([.send(bytes)]) }

    /// Sends the status line and headers byte by byte.
    public static func slowHead(_ answer: Answer, every interval: Duration) -> Behaviour {
        .wire([.drip(answer.head(), every: interval), .send(answer.body)])
    }

    /// Sends the head immediately and the body byte by byte.
    public static func drip(_ answer: Answer, every interval: Duration) -> Behaviour {
        .wire([.send(answer.head()), .drip(answer.body, every: interval)])
    }

    /// Sends the head immediately, then a space per interval until the client leaves.
    public static func endlessDrip(every interval: Duration) -> Behaviour {
        .wire([.send(Answer(text: "").head(length: nil)), .drip([0x20], times: .max, every: interval)])
    }

    /// Sends this many spaces, and stops when the peer is gone. `announced` sends a `Content-Length`.
    public static func oversized(bytes: Int, announced: Bool) -> Behaviour {
        let answer = Answer(headers: ["Connection": "close"], text: "")
        return .wire([.send(answer.head(length: announced ? bytes : nil)), .flood([0x20], times: bytes)])
    }

    /// Announces the full length, sends the first bytes of the body, and closes.
    public static func truncated(_ answer: Answer, after count: Int) -> Behaviour {
        .wire([.send(answer.head()), .send(Array(answer.body.prefix(count)))])
    }

    /// Announces the full length, sends the first bytes of the body, and resets the connection. A reset discards data that the client has
    /// not read, so it gets 50 ms to read them.
    public static func reset(_ answer: Answer, after count: Int) -> Behaviour {
        .wire([.send(answer.head()), .send(Array(answer.body.prefix(count))), .wait(.milliseconds(50)), .reset])
    }

    /// 200 with a JSON document. With an `etag`, a request that names it gets 304.
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

    /// An error status such as 500, with a JSON body.
    public static func failure(_ status: Int) -> Behaviour {
        .answer(Answer(status: status, text: #"{"error":"\#(status)"}"#))
    }

    /// 503 or 429 with a `Retry-After` in seconds or as an HTTP date.
    public static func busy(status: Int = 503, retryAfter: String) -> Behaviour {
        .answer(Answer(status: status, headers: ["Retry-After": retryAfter], text: #"{"error":"busy"}"#))
    }

    /// - Parameter location: a path of the same origin, or an absolute URL.
    public static func redirect(to location: String, status: Int = 302) -> Behaviour {
        .answer(Answer(status: status, headers: ["Location": location]))
    }

    /// The document with gzip encoding.
    public static func gzip(_ json: String) -> Behaviour {
        let body = Gzip.stored(Array(json.utf8))
        return .answer(Answer(headers: ["Content-Encoding": "gzip", "Content-Type": "application/json"], body: body))
    }

    /// A gzip body that inflates to this many spaces, about 158 times its size on the wire.
    public static func gzipBomb(inflatedBytes: Int, type: String = "application/json") -> Behaviour {
        let body = Gzip.blanks(count: inflatedBytes)
        return .answer(Answer(headers: ["Content-Encoding": "gzip", "Content-Type": type], body: body))
    }

    /// Bytes that are not HTTP: the greeting of a mail server.
    public static var garbage: Behaviour { .raw(Array("220 mail.example ESMTP ready\r\n".utf8)) }
}
