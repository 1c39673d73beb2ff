import TestSupport

/// One reply as sent, and the end of its connection.
struct ReplyCase: Sendable, CustomStringConvertible {
    enum Ending: String, Sendable, CaseIterable { case close, reset, stay }

    let shape: ReplyShape
    let bytes: [UInt8]
    let ending: Ending
    let change: String

    var description: String { "\(shape.name), \(change), \(ending.rawValue)" }

    var behaviour: Behaviour {
        switch ending {
        case .close: .wire([.send(bytes)])
        case .reset: .wire([.send(bytes), .reset])
        case .stay: .wire([.send(bytes), .hang])
        }
    }

    /// All shapes without damage.
    static func sound(_ shapes: [ReplyShape]) -> [ReplyCase] {
        shapes.map { ReplyCase(shape: $0, bytes: $0.bytes, ending: .close, change: "whole") }
    }

    /// All shapes, cut after each byte, by a close and by a reset.
    static func cuts(_ shapes: [ReplyShape]) -> [ReplyCase] {
        shapes.flatMap { shape in
            (0..<shape.bytes.count).flatMap { count in
                [Ending.close, .reset].map {
                    ReplyCase(shape: shape, bytes: Array(shape.bytes[..<count]), ending: $0, change: "cut after \(count)")
                }
            }
        }
    }

    /// The mutation with this number. The same seed and number give the same reply.
    static func mutation(_ number: Int, seed: UInt64, of shapes: [ReplyShape]) -> ReplyCase {
        var random = SplitMix64(seed: seed &* 0x1_0000_0000 &+ UInt64(number))
        let shape = shapes[Int.random(in: 0..<shapes.count, using: &random)]
        var bytes = shape.bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, using: &random) }
        // An end by deadline takes long, so it is rare.
        let dice = Int.random(in: 0..<50, using: &random)
        return ReplyCase(
            shape: shape, bytes: bytes, ending: dice == 0 ? .stay : dice < 15 ? .reset : .close,
            change: "mutation \(number) of seed \(seed)"
        )
    }

    /// Texts that often break HTTP readers.
    private static let words: [String] = [
        "\r\n", "\n", "\r", "\r\n\r\n", ":", " ", "\t", "\0", "0\r\n\r\n", "ffffffffffffffff\r\n", "-1", "9223372036854775807",
        "9223372036854775296", "18446744073709551616", "Content-Length: 9223372036854775807\r\n", "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n", "Content-Encoding: gzip\r\n", "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: //[::1]/\r\n", "Location: //a%1b/\r\n",
        "Location: https://\r\n",
        "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\n", "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n", "HTTP/1.1 204 No\r\n",
        "HTTP/1.1 304 Same\r\n", "Connection: close\r\n", "Trailer: X\r\n", "1\r\n", ";x=y", "\u{FF}\u{FE}", "HTTP/2 200\r\n",
        "ICY 200 OK\r\n",
    ]

    private static func mutate(_ bytes: inout [UInt8], using random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        // Most of the parsed structure is at the start.
        let reach = Bool.random(using: &random) ? min(bytes.count, 120) : bytes.count
        let index = Int.random(in: 0..<reach, using: &random)
        let count = min(Int.random(in: 1...12, using: &random), bytes.count - index)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 2: bytes.removeSubrange(index..<(index + count))
        case 3: bytes.insert(contentsOf: bytes[index..<(index + count)], at: index)
        case 4: bytes.removeSubrange(index...)
        case 5: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
        default:
            let word = words[Int.random(in: 0..<words.count, using: &random)]
            // At a line start in half of the cases.
            let lines = bytes.indices.filter { $0 > 0 && bytes[$0 - 1] == 0x0A }
            let place = Bool.random(using: &random) ? lines.randomElement(using: &random) ?? index : index
            bytes.insert(contentsOf: word.utf8, at: place)
        }
    }
}
