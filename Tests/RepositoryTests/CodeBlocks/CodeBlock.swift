import Foundation

/// A fenced block of a document.
struct CodeBlock: Equatable, Sendable {
    /// The path of the document below the repository.
    var document: String
    /// The line of the opening fence, from 1.
    var line: Int
    /// The word behind the opening fence.
    var language: String
    /// The text between the fences, without the indentation of the opening one.
    var code: String
    /// Code that a reader does not see, from a comment directly above the block; nil without one.
    var context: Context?

    /// Code in an HTML comment, which is compiled in front of the block that follows.
    struct Context: Equatable, Sendable {
        /// The line of its first line of code.
        var line: Int
        var code: String
    }

    /// What is wrong with a document, so that a block of it could be missed.
    struct Complaint: Error, Equatable, CustomStringConvertible {
        var document: String
        var line: Int
        var text: String
        var description: String { "\(document):\(line): \(text)" }
    }

    var place: String { "\(document):\(line)" }
}

extension CodeBlock {
    /// How a comment with context begins: `<!-- compiled with:`. It ends with a line `-->`.
    static let contextMark = "<!-- compiled with:"

    /// All blocks of a document in Markdown.
    /// - Throws: ``Complaint`` if a block has no end or begins in a way that is not read, or if a context has no block.
    static func all(in text: String, of document: String) throws -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var context: Context?
        var rest = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated().makeIterator()
        /// The lines up to one that is `end` without its indentation.
        func lines(until end: String, from start: Int, _ what: String) throws -> [String] {
            var found: [String] = []
            while let (_, line) = rest.next() {
                if line.trimmed == end { return found }
                found.append(line)
            }
            throw Complaint(document: document, line: start + 1, text: "\(what) has no end")
        }
        while let (index, line) = rest.next() {
            let words = line.trimmed
            if words.hasPrefix("```") {
                let fence = String(words.prefix { $0 == "`" })
                let indentation = line.prefix { $0 == " " }.count
                let code = try lines(until: fence, from: index, "the block").map { line in
                    String(line.dropFirst(min(indentation, line.prefix { $0 == " " }.count)))
                }
                let language = words.dropFirst(fence.count).trimmingCharacters(in: .whitespaces)
                blocks.append(
                    CodeBlock(
                        document: document, line: index + 1, language: language, code: code.joined(separator: "\n"),
                        context: context))
                context = nil
            } else if words == contextMark {
                try refuse(context, in: document)
                let code = try lines(until: "-->", from: index, "the comment")
                context = Context(line: index + 2, code: code.joined(separator: "\n"))
            } else if words.utf8.contains(where: { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "~") }),
                words.contains(/^([>*+-]|[0-9]+\.)[ >*+-]*```|^~~~/)
            {
                throw Complaint(document: document, line: index + 1, text: "begin a block on a line of its own, with ```")
            } else if !words.isEmpty {
                try refuse(context, in: document)
            }
        }
        try refuse(context, in: document)
        return blocks
    }

    private static func refuse(_ context: Context?, in document: String) throws {
        guard let context else { return }
        throw Complaint(document: document, line: context.line - 1, text: "no block follows this comment")
    }

    /// All blocks in the documentation comments of a Swift file.
    static func all(inCommentsOf source: String, of document: String) throws -> [CodeBlock] {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            let words = String(line).trimmed
            return words.hasPrefix("///") ? String(words.dropFirst(words.hasPrefix("/// ") ? 4 : 3)) : ""
        }
        return try all(in: lines.joined(separator: "\n"), of: document)
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
