import BellerophonBase
import Foundation
import TerminalUI

// The values of an object on one line, for files and for standard output.
extension JSONNode {
    /// The members of an object in order. A member without a value is omitted.
    package typealias Members = [(String, JSONNode?)]

    /// Text that may be from outside. It is sanitised, so that the line is safe to print; null for nil.
    package static func printable(_ text: String?) -> JSONNode { text.map { .text(TextSanitizer.printable($0)) } ?? .null }

    /// Texts that may be from outside.
    package static func printable(_ texts: [String]) -> JSONNode { .array(texts.map { .printable($0) }) }

    /// A duration in multiples of `unit`, with at most three decimals; null for nil.
    package static func time(_ duration: Duration?, in unit: Duration = .seconds(1)) -> JSONNode {
        guard let value = duration.map({ $0 / unit }), value.isFinite, abs(value) < 1e12 else { return .null }
        return .number((value * 1000).rounded() / 1000)
    }

    /// A value that knows its own JSON, sanitised.
    static func encoding(_ value: some Encodable) -> JSONNode {
        JSONText.sanitized(encoding: value).flatMap { try? JSONReader.read(Data($0.utf8)) } ?? .null
    }

    /// The members of a value that is an object of JSON, for an object that has others too.
    package static func members(of value: some Encodable) -> Members {
        guard case .object(let members) = encoding(value).value else { return [] }
        return members.map { ($0.name, $0.node) }
    }

    /// The value as JSON on one line, without a line terminator.
    package var line: String { compactText(escaping: \.isInvisible) }
}
