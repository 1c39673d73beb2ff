#if Server
import NIOCore
import NIOHTTP1

/// Whether the HTTP parser is between two requests, so that the next byte begins one.
///
/// The parser does not report this. It has reported the end of a request, and either nothing came after it, or what came is
/// part of another request; the last bytes tell which: an empty line would have completed that request's head, and the parser
/// would have reported it.
struct ParserPosition: Equatable {
    /// False after a request with a body, for example, although the parser may be between two requests.
    private(set) var isAtStart = true
    private var endsWithEmptyLine = false
    private var hasEnded = false

    private static let emptyLine: StaticString = "\r\n\r\n"

    /// The parser is about to get bytes.
    mutating func bytesCame(_ bytes: ByteBuffer) {
        isAtStart = false
        endsWithEmptyLine = bytes.withUnsafeReadableBytes { bytes in
            let line = Self.emptyLine
            guard bytes.count >= line.utf8CodeUnitCount else { return false }
            let start = bytes.count - line.utf8CodeUnitCount
            return (0..<line.utf8CodeUnitCount).allSatisfy { bytes[start + $0] == line.utf8Start[$0] }
        }
    }

    /// The parser has reported a part of a request.
    mutating func partCame(_ part: HTTPServerRequestPart) {
        if case .end = part { hasEnded = true } else { hasEnded = false }
    }

    /// The parser has read all bytes.
    mutating func bytesWereRead() {
        isAtStart = hasEnded && endsWithEmptyLine
    }
}
#endif
