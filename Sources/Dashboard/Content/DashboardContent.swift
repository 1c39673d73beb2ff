import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI

/// The dashboard's own texts and layout, independent of any status. It ships with the program; servers can update it.
package struct DashboardContent: Equatable, Sendable {
    package struct Link: Equatable, Sendable {
        package let title: String
        /// An http or https address.
        package let url: String
    }

    /// Shown in the frame of the state pane; nil for none.
    package var title: String?
    /// In the order of the help page; at most ``linkLimit``.
    package var links: [Link] = []
    /// The hidden panes. The state and the events are always shown.
    var hidden: Set<Pane> = []
    /// The help page's text above the keys; empty lines separate paragraphs.
    package var help = ""

    /// The maximum number of links.
    package static let linkLimit = 20
    /// The maximum length of the help text, in bytes of UTF-8.
    package static let helpLimit = 16_384

    /// The panes that content can hide.
    static let hideable: [Pane] = Pane.all.filter(\.isHideable).map(\.pane)
}

/// Why a file is not valid dashboard content, in words for its author.
package struct ContentError: Error, Equatable, CustomStringConvertible, Sendable {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension DashboardContent {
    /// Reads title, links and layout from a `dashboard.json`.
    ///
    /// ```json
    /// {"title": "Catalogue", "links": [{"title": "News", "url": "https://example.com"}], "hide": ["latency"]}
    /// ```
    /// Every field is optional; unknown fields are ignored, because a newer file may have more.
    /// - Throws: a ``ContentError``, without any change.
    package mutating func read(dashboard data: Data) throws(ContentError) {
        guard let value = JSONValue(parsing: data) else { throw ContentError("it is not JSON") }
        guard case .object(let fields) = value else { throw ContentError("expected an object, found \(value.typeName)") }
        let title = try Self.title(fields["title"] ?? .null)
        let links = try Self.links(fields["links"] ?? .array([]))
        let hidden = try Self.hidden(fields["hide"] ?? .array([]))
        (self.title, self.links, self.hidden) = (title, links, hidden)
    }

    /// Reads the text of the help page and sanitises it.
    /// - Throws: a ``ContentError`` if the data is not UTF-8.
    package mutating func read(help data: Data) throws(ContentError) {
        guard let text = String(validating: data, as: UTF8.self) else { throw ContentError("it is no UTF-8 text") }
        help = TextSanitizer.sanitize(text, keepingNewlines: true, limit: Self.helpLimit, lines: 1000)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func title(_ value: JSONValue) throws(ContentError) -> String? {
        if case .null = value { return nil }
        guard case .string(let text) = value else {
            throw ContentError("\"title\" must be text, found \(value.typeName)")
        }
        let title = TextSanitizer.sanitize(text, keepingNewlines: false, limit: 80).trimmingCharacters(in: .whitespaces)
        return title.isEmpty ? nil : title
    }

    private static func links(_ value: JSONValue) throws(ContentError) -> [Link] {
        guard case .array(let values) = value else {
            throw ContentError("\"links\" must be an array, found \(value.typeName)")
        }
        guard values.count <= linkLimit else { throw ContentError("more than \(linkLimit) links") }
        var links: [Link] = []
        for (index, value) in values.enumerated() {
            guard case .object(let fields) = value, case .string(let title)? = fields["title"],
                case .string(let url)? = fields["url"], let address = StatusDocument.webAddress(url)
            else {
                throw ContentError("links[\(index)] must have a \"title\" and a \"url\" that is an http or https address")
            }
            links.append(Link(title: TextSanitizer.sanitize(title, keepingNewlines: false, limit: 80), url: address))
        }
        return links
    }

    private static func hidden(_ value: JSONValue) throws(ContentError) -> Set<Pane> {
        guard case .array(let values) = value else {
            throw ContentError("\"hide\" must be an array, found \(value.typeName)")
        }
        var hidden: Set<Pane> = []
        for (index, value) in values.enumerated() {
            guard case .string(let name) = value, let pane = hideable.first(where: { $0.name == name }) else {
                throw ContentError("hide[\(index)] must be one of \(hideable.map(\.name).joined(separator: ", "))")
            }
            hidden.insert(pane)
        }
        return hidden
    }
}
