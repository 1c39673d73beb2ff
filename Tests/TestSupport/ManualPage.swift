import Foundation

/// The parts of a manual page (mdoc) that a test compares with the program.
public struct ManualPage: Sendable {
    /// The flags and arguments of each command in the synopsis, by the command's words: `--config file`, `--quiet`, `name`.
    public let commands: [String: Set<String>]
    /// The commands that the description explains.
    public let explained: Set<String>
    /// The long flags that the section OPTIONS explains: `--config`.
    public let options: Set<String>

    /// - Parameter text: the source of the page.
    public init(_ text: String) {
        let lines = text.replacingOccurrences(of: "\\-", with: "-").components(separatedBy: "\n")
        var synopsis = Synopsis()
        Self.section("SYNOPSIS", of: lines).forEach { synopsis.read($0) }
        commands = synopsis.expanded
        let items = Self.section("DESCRIPTION", of: lines).filter { $0.hasPrefix(".It Cm ") }
        explained = Set(items.map { String($0.dropFirst(".It Cm ".count)) })
        let flags = Self.section("OPTIONS", of: lines).filter { $0.hasPrefix(".It ") }
        options = Set(flags.flatMap { Synopsis.parts(of: $0) }.map { String($0.prefix { $0 != " " }) })
    }

    /// The page of a program in the folder `docs` of this package.
    public static func ofProgram(_ name: String) throws -> ManualPage {
        ManualPage(try String(contentsOf: repository.appendingPathComponent("docs/\(name).1"), encoding: .utf8))
    }

    private static func section(_ name: String, of lines: [String]) -> ArraySlice<String> {
        guard let start = lines.firstIndex(of: ".Sh \(name)") else { return [] }
        let rest = lines[(start + 1)...]
        return rest.prefix { !$0.hasPrefix(".Sh ") }
    }
}

/// The synopsis of a page: a block for each command, and the names for groups of flags that follow `.Pp`.
private struct Synopsis {
    private var commands: [String: Set<String>] = [:]
    private var groups: [String: Set<String>] = [:]
    /// The words of the command whose block is read; nil in the definitions of groups.
    private var command: String?
    /// The group that is defined.
    private var group: String?
    /// The argument of the line before, which a line `is` makes a group.
    private var candidate: String?

    mutating func read(_ line: String) {
        if line == ".Nm" { return (command, group, candidate) = ("", nil, nil) }
        if line == ".Pp" { return (command, group, candidate) = (nil, nil, nil) }
        if line == "is" { return group = candidate }
        guard line.hasPrefix(".") else { return }
        let words = Self.words(line)
        if let named = command {
            let name = ([named] + Self.values(of: "Cm", words)).filter { !$0.isEmpty }.joined(separator: " ")
            command = name
            commands[name, default: []].formUnion(Self.parts(of: line))
        } else if words.count == 2, words[0] == "Ar" {
            candidate = words[1]
        } else if let group {
            groups[group, default: []].formUnion(Self.parts(of: line))
        }
    }

    /// The commands, with the members of a group in place of its name.
    var expanded: [String: Set<String>] {
        commands.mapValues { expand($0) }
    }

    private func expand(_ parts: Set<String>) -> Set<String> {
        parts.reduce(into: []) { whole, part in
            whole.formUnion(groups[part].map { expand($0) } ?? [part])
        }
    }

    /// The flags and arguments of a line.
    static func parts(of line: String) -> Set<String> {
        var parts: Set<String> = []
        var words = words(line)[...]
        while let macro = words.popFirst() {
            if macro == "Fl", let name = words.popFirst() {
                var flag = "-\(name)"
                if words.first == "Ar" {
                    words.removeFirst()
                    flag += " \(words.popFirst() ?? "")"
                }
                // Short flags have a single hyphen, and `--` alone, which ends the flags, has no name.
                if flag.hasPrefix("--"), name != "-" { parts.insert(flag) }
            } else if macro == "Ar" {
                let names = words.prefix { !macros.contains($0) }
                words = words.dropFirst(names.count)
                // An argument with an ellipsis belongs to the one before it.
                if names.last != "..." { parts.formUnion(names) }
            }
        }
        return parts
    }

    private static let macros: Set<String> = ["Op", "Fl", "Ar", "Cm", "|", ",", "It"]

    private static func words(_ line: String) -> [String] {
        line.dropFirst().split(separator: " ").map(String.init)
    }

    /// The words that follow a macro, up to the next one.
    private static func values(of macro: String, _ words: [String]) -> [String] {
        var isInside = false
        return words.filter { word in
            if macros.contains(word) {
                isInside = word == macro
                return false
            }
            return isInside
        }
    }
}
