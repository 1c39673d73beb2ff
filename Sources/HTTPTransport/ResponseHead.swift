import Foundation

/// Reads the heads of one response line by line: interim responses, the final one and the trailer.
///
/// It is stricter than libcurl where two readers could see different bodies (RFC 9112, section 6.3): a body has a length, or
/// the one transfer coding `chunked`, or ends with the connection. It refuses content codings, because none was asked for.
///
/// It is lenient where a proxy or a store damages what nobody needs. A malformed field is ignored, unless it could frame the body. A content
/// coding that does not exist (`utf-8`, `aws-chunked`) is left to the reader of the body: stores repeat what an uploader has said.
package struct ResponseHead: Sendable {
    package private(set) var status = 0
    /// The final response's fields in order, with folded lines joined. Names are as the server sent them.
    private(set) var fields: [(name: String, value: String)] = []
    /// Whether the head of the final response is complete.
    private(set) var isWhole = false
    private var isVersion10 = false
    private var bytes = 0
    /// Whether the last line was ignored, and folded lines after it with it.
    private var isIgnoring = false
    /// The maximum size of all heads and the trailer together, in bytes.
    var limit = 256 << 10

    package init() {}

    /// The fields by name. The values of a repeated field are joined by commas (RFC 9110, section 5.3).
    package var joinedFields: [String: String] {
        var names: [String: String] = [:]
        var joined: [String: String] = [:]
        for field in fields {
            let name = names[field.name.lowercased(), default: field.name]
            names[field.name.lowercased()] = name
            joined[name] = joined[name].map { "\($0), \(field.value)" } ?? field.value
        }
        return joined
    }

    /// Reads a line including its line end.
    /// - Returns: why the response is refused, as the end of a sentence; nil if it is not.
    package mutating func read(_ line: some Collection<UInt8>) -> String? {
        bytes += line.count
        guard bytes <= limit else { return "its head is larger than \(limit) bytes" }
        // Trailer fields are ignored.
        if isWhole { return nil }
        let text = Self.withoutEnd(line)
        if text.isEmpty { return endHead() }
        if text.starts(with: "HTTP/".utf8) { return readStatusLine(String(decoding: text, as: UTF8.self)) }
        return readField(text)
    }

    private static func withoutEnd(_ line: some Collection<UInt8>) -> [UInt8] {
        var text = Array(line)
        if text.last == 0x0A { text.removeLast() }
        if text.last == 0x0D { text.removeLast() }
        return text
    }

    private mutating func readStatusLine(_ line: String) -> String? {
        guard status < 200 else { return "its head has two status lines" }
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].count == 3, let code = Int(words[1]), code >= 100 else {
            return "its status line is malformed"
        }
        (status, fields) = (code, [])
        isVersion10 = words[0] == "HTTP/1.0"
        return nil
    }

    private mutating func readField(_ line: [UInt8]) -> String? {
        guard status != 0 else { return "it has no status line" }
        let isFolded = line[0] == 0x20 || line[0] == 0x09
        let colon = isFolded ? nil : line.firstIndex(of: 0x3A)
        if isFolded, let last = fields.indices.last, !line.contains(where: Self.isLineBreak) {
            // Not every reader joins folded lines.
            guard !Self.framingNames.contains(fields[last].name.lowercased()) else { return Self.malformed }
            if !isIgnoring { fields[last].value += " " + Self.trimmed(line) }
        } else if let colon, colon > 0, line[..<colon].allSatisfy(Self.isNameByte), !line.contains(where: Self.isLineBreak) {
            isIgnoring = false
            fields.append((String(decoding: line[..<colon], as: UTF8.self), Self.trimmed(line[(colon + 1)...])))
        } else {
            return ignore(line, name: isFolded ? fields.popLast()?.name : Self.name(line[..<(colon ?? line.endIndex)]))
        }
        return nil
    }

    private static let malformed = "a line of its head is malformed"

    /// Ignores a malformed line, unless it mentions a field that frames the body: another reader could take it for one. If its name is
    /// readable, the field has no value, because that it is there can matter.
    private mutating func ignore(_ line: [UInt8], name: String?) -> String? {
        let text = String(decoding: line.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
        let names = Self.framingNames.union(["connection", "http/"])
        guard !names.contains(where: text.contains), !names.contains(name?.lowercased() ?? "") else { return Self.malformed }
        isIgnoring = true
        if let name { fields.append((name, "")) }
        return nil
    }

    /// The name of a malformed field, without spaces and control characters around it; nil if it is no name.
    private static func name(_ bytes: some Collection<UInt8>) -> String? {
        let name = bytes.split { $0 <= 0x20 || $0 == 0x7F }
        return name.count == 1 && name[0].allSatisfy(isNameByte) ? String(decoding: name[0], as: UTF8.self) : nil
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x0D }

    private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String {
        var text = Array(bytes.drop { $0 == 0x20 || $0 == 0x09 })
        while text.last == 0x20 || text.last == 0x09 { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether the byte is a letter, a digit or one of the signs of a token (RFC 9110, section 5.6.2).
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    // MARK: End of a head

    private mutating func endHead() -> String? {
        guard status != 0 else { return "it has no status line" }
        if (100..<200).contains(status), status != 101 {
            (status, fields, isIgnoring) = (0, [], false)
            return nil
        }
        if let problem = framingProblem { return problem }
        isWhole = true
        return nil
    }

    /// The fields that say where a body ends and how to read it.
    private static let framingNames: Set = ["content-length", "transfer-encoding", "content-encoding"]

    /// The content codings that exist, apart from `identity` (IANA's registry of HTTP content codings).
    private static let codings: Set = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress", "x-gzip", "zstd",
    ]

    private func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }
            .flatMap { $0.value.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }

    private var framingProblem: String? {
        let lengths = Set(values("content-length"))
        if lengths.count > 1 { return "it states two different lengths" }
        if let length = lengths.first, !Self.isLength(length) { return "its length is not a number of bytes" }
        if status == 204, let length = lengths.first, Int64(length) != 0 { return "it has no body, but states a length" }
        if let problem = codingProblem(hasLength: !lengths.isEmpty) { return problem }
        if let coding = values("content-encoding").first(where: Self.codings.contains) {
            return "it is compressed as \(Self.quoted(coding)), which was not asked for"
        }
        return nil
    }

    private func codingProblem(hasLength: Bool) -> String? {
        let codings = values("transfer-encoding")
        guard !codings.isEmpty else { return nil }
        if let coding = codings.first(where: { !["chunked", "identity", ""].contains($0) }) {
            return "it is encoded as \(Self.quoted(coding)), which was not asked for"
        }
        guard codings == ["chunked"] else { return "its transfer coding is ambiguous" }
        if hasLength { return "it states a length although it is sent in chunks" }
        if isVersion10 { return "it is sent in chunks, which HTTP/1.0 does not have" }
        return status == 204 ? "it has no body, but states a transfer coding" : nil
    }

    private static func isLength(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64(text) != nil
    }

    private static func quoted(_ text: String) -> String {
        "“\(String(text.unicodeScalars.filter { $0.isASCII && $0.value > 0x1F && $0.value < 0x7F }.prefix(40).map(Character.init)))”"
    }
}
