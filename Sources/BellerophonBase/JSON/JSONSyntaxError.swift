/// Why a text is not valid JSON by the reader's options, and where.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case unexpected(expected: String, found: String)
        case notUTF8
        case byteOrderMark
        case tooDeep(limit: Int)
        /// A number outside the range of `Double`.
        case hugeNumber
        /// A name that occurs twice in an object.
        case repeatedName(String)
    }

    package let reason: Reason
    package let position: JSONPosition

    /// What is wrong, without the position.
    package var message: String {
        switch reason {
        case .unexpected(let expected, let found): "expected \(expected), found \(found)"
        case .notUTF8: "the text is not UTF-8"
        case .byteOrderMark: "the text begins with a byte order mark"
        case .tooDeep(let limit): "more than \(limit) values inside each other"
        case .hugeNumber: "a number that is too large"
        case .repeatedName(let name): "\(JSONText.quoted(name, escaping: \.isInvisible)) stands twice"
        }
    }

    package var description: String {
        switch reason {
        case .notUTF8, .byteOrderMark: message
        case .unexpected, .tooDeep, .hugeNumber, .repeatedName: "line \(position.line): \(message)"
        }
    }
}
