import Bellerophon
import BellerophonBase
import Foundation
import TerminalUI

/// The questions of `bellerophon init`, which make a first configuration. A value: an answer goes in, the next question or a
/// problem comes out. It has no terminal and no file.
package struct FirstConfiguration: Equatable, Sendable {
    package enum Question: Equatable, Sendable {
        /// Whether the file that is there is replaced.
        case replace
        case address
        case app
        case plain
    }

    /// What is asked now; nil if everything is answered, or the file is kept.
    package private(set) var question: Question?
    /// Whether the person has chosen to keep the file that is there.
    package private(set) var keepsFile = false
    private let path: String
    private var address = defaultAddress
    private var name: String?
    private var version: String?
    private var isPlain: Bool

    /// The address of the guide's example, a server on this machine.
    private static let defaultAddress = "http://127.0.0.1:8080/status"

    /// - Parameters:
    ///   - path: the file's path, which a question names.
    ///   - exists: whether it is there already.
    ///   - isPlain: whether plain output is the default.
    package init(path: String, exists: Bool, isPlain: Bool) {
        question = exists ? .replace : .address
        self.path = path
        self.isPlain = isPlain
    }

    /// The question with its default, which an empty line chooses; nil if there is none.
    package var prompt: String? {
        switch question {
        case .replace: "\(path) is there already, and its settings would be lost. Replace it, yes or no (Enter alone: no)? "
        case .address: "1 of 3. The address of the status (Enter alone: \(Self.defaultAddress)): "
        case .app:
            "2 of 3. The name of the app, and its version if you know it, such as notes 1.4.0 "
                + "(Enter alone: \(Configuration().app.name)): "
        case .plain:
            "3 of 3. Lines in place of a screen, as for a screen reader, yes or no (Enter alone: \(isPlain ? "yes" : "no"))? "
        case nil: nil
        }
    }

    /// Takes the answer to the present question.
    /// - Returns: the problem with it, in a line that says what to do; nil if the answer counts.
    package mutating func answer(_ line: String) -> String? {
        let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
        switch question {
        case .replace:
            guard let isReplaced = Self.choice(text, default: false) else { return Self.yesOrNo }
            (question, keepsFile) = isReplaced ? (.address, false) : (nil, true)
        case .address:
            if let problem = Self.problem(text, "status.url") { return problem + Self.advice(on: text) }
            if !text.isEmpty { address = text }
            question = .app
        case .app:
            let (name, version) = Self.split(text)
            if name == nil, version != nil { return "the name is missing before the version; give both, such as notes 1.4.0" }
            if let problem = Self.problem(name ?? "", "app.name") ?? Self.problem(version ?? "", "app.version") { return problem }
            (self.name, self.version) = (name, version)
            question = .plain
        case .plain:
            guard let isChosen = Self.choice(text, default: isPlain) else { return Self.yesOrNo }
            isPlain = isChosen
            question = nil
        case nil: break
        }
        return nil
    }

    /// The configuration as the text of a file, with the settings that were answered.
    package var text: String {
        let members: [(String, JSONNode?)] = [
            ("app", name.map { .object([("name", .text($0)), ("version", version.map { .text($0) })]) }),
            ("status", .object([("url", .text(address))])),
            ("display", isPlain ? .object([("plain", .bool(true))]) : nil),
        ]
        let lines = members.compactMap { name, node in node.map { "  \"\(name)\": \($0.prettyText(indent: 2))" } }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }

    // MARK: Answers

    private static let yesOrNo = "type yes or no"

    /// The choice of an answer; nil for an answer that is neither.
    private static func choice(_ text: String, default choice: Bool) -> Bool? {
        switch text.lowercased() {
        case "": choice
        case "y", "yes": true
        case "n", "no": false
        default: nil
        }
    }

    /// What the setting refuses; nil for an empty text, which chooses the default.
    private static func problem(_ text: String, _ setting: String) -> String? {
        guard !text.isEmpty else { return nil }
        var configuration = Configuration()
        do {
            try configuration.apply(flag: setting, text: text)
            return nil
        } catch {
            return error.problems.map { TextSanitizer.sanitize($0, keepingNewlines: false) }.joined(separator: "; ")
        }
    }

    private static func advice(on address: String) -> String {
        address.contains("://") ? "" : "; begin it with https://, or with http:// for a server on this machine"
    }

    /// A name, and a version that begins with a digit or with v and a digit.
    private static func split(_ text: String) -> (name: String?, version: String?) {
        var words = text.split(whereSeparator: \.isWhitespace)
        let version = words.last.flatMap { $0.wholeMatch(of: /v?[0-9].*/) == nil ? nil : String($0) }
        if version != nil { words.removeLast() }
        return (words.isEmpty ? nil : words.joined(separator: " "), version)
    }
}
