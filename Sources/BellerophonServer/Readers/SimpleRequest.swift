/// A request that can be answered without the HTTP parser: a complete GET or HEAD without a body, whose fields do not change
/// the connection.
///
/// The scanner accepts a small part of what the parser accepts, and interprets it in the same way. For all other input its
/// result is nil, and the parser decides. The result depends on no byte after ``end``.
struct SimpleRequest: Equatable {
    let isHead: Bool
    /// The position of the target without its query.
    let path: Range<Int>
    /// The position of the value of `If-None-Match`.
    let condition: Range<Int>?
    /// The position after the request's last byte.
    let end: Int

    /// In bytes. The parser reads larger requests.
    static let maximumSize = 4096
    /// Less than the parser's limit.
    static let maximumFields = 64

    /// - Parameters:
    ///   - bytes: may end in the middle of a request.
    ///   - start: the position of the request's first byte.
    /// - Returns: nil if the bytes do not begin with a complete simple request.
    init?(_ bytes: UnsafeRawBufferPointer, at start: Int) {
        var scanner = Scanner(bytes: bytes[start..<min(bytes.count, start + Self.maximumSize)], at: start)
        guard let isHead = scanner.method(), let path = scanner.path(), scanner.skip(" HTTP/1.1\r\n"),
            scanner.fields()
        else { return nil }
        self.isHead = isHead
        self.path = path
        condition = scanner.condition
        end = scanner.at
    }
}

/// Reads a request from its first byte to its last one.
private struct Scanner {
    let bytes: Slice<UnsafeRawBufferPointer>
    var at: Int
    var hosts = 0
    var condition: Range<Int>?

    /// The byte at the present position; 0, which is valid nowhere, at the end of the input.
    private var next: UInt8 { at < bytes.endIndex ? bytes[at] : 0 }

    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.endIndex - at >= count else { return false }
        for index in 0..<count where bytes[at + index] != text.utf8Start[index] { return false }
        at += count
        return true
    }

    /// - Returns: true for HEAD, false for GET.
    mutating func method() -> Bool? { skip("GET ") ? false : skip("HEAD ") ? true : nil }

    /// Reads a target in origin form.
    /// - Returns: the position of the target without its query.
    mutating func path() -> Range<Int>? {
        let start = at
        guard next == UInt8(ascii: "/") else { return nil }
        skip(.path)
        let end = at
        if next == UInt8(ascii: "?") { skip(.query) }
        return start..<end
    }

    /// Reads the fields and the empty line.
    /// - Returns: false if the request is incomplete or needs the parser.
    mutating func fields() -> Bool {
        for _ in 0...SimpleRequest.maximumFields {
            if next == UInt8(ascii: "\r") { return skip("\r\n") && hosts == 1 }
            let name = at
            skip(.name)
            let nameEnd = at
            guard nameEnd > name, next == UInt8(ascii: ":") else { return false }
            at += 1
            while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { at += 1 }
            let value = at
            skip(.value)
            guard read(name..<nameEnd, value..<at), skip("\r\n") else { return false }
        }
        return false
    }

    /// - Returns: false if the field needs the parser.
    private mutating func read(_ name: Range<Int>, _ value: Range<Int>) -> Bool {
        if isSame(name, "host") { hosts += 1 }
        if isSame(name, "connection") { return isSame(value, "keep-alive") }
        if isSame(name, "if-none-match") {
            guard condition == nil else { return false }
            condition = value
        }
        // The parser reads Proxy-Connection like Connection.
        return !isSame(name, "expect") && !isSame(name, "upgrade") && !isSame(name, "content-length")
            && !isSame(name, "proxy-connection") && !isSame(name, "transfer-encoding")
    }

    /// Compares visible characters, and ignores case.
    /// - Parameter lowercased: letters in lower case, and hyphens.
    private func isSame(_ range: Range<Int>, _ lowercased: StaticString) -> Bool {
        guard range.count == lowercased.utf8CodeUnitCount else { return false }
        for (index, at) in range.enumerated() where bytes[at] | 0x20 != lowercased.utf8Start[index] { return false }
        return true
    }

    /// Skips the bytes of a class.
    @inline(__always)
    private mutating func skip(_ set: ByteSet) {
        var end = at
        while end < bytes.endIndex, set.contains(bytes[end]) { end += 1 }
        at = end
    }
}

/// A set of ASCII characters.
private struct ByteSet {
    let low: UInt64
    let high: UInt64

    /// The characters of a path (RFC 3986, section 3.3).
    static var path: ByteSet { ByteSet(low: 0x2fff_fff2_0000_0000, high: 0x47ff_fffe_87ff_ffff) }
    /// The same, and the question mark.
    static var query: ByteSet { ByteSet(low: 0xafff_fff2_0000_0000, high: 0x47ff_fffe_87ff_ffff) }
    /// The characters of a token (RFC 9110, section 5.6.2).
    static var name: ByteSet { ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe) }
    /// Visible characters, space and tab.
    static var value: ByteSet { ByteSet(low: 0xffff_ffff_0000_0200, high: 0x7fff_ffff_ffff_ffff) }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }
}
