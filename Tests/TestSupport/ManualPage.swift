import Foundation

/// What a command takes: its long flags with the names of their values, and its arguments.
public struct CommandSyntax: Equatable, Sendable {
    /// The name of a flag's value by the flag's name without hyphens. Empty for a flag without a value.
    public var flags: [String: String]
    public var arguments: Set<String>

    public init(flags: [String: String] = [:], arguments: Set<String> = []) {
        self.flags = flags
        self.arguments = arguments
    }

    /// How a manual differs from this syntax of the program; empty if it does not.
    public func differences(in manual: CommandSyntax) -> [String] {
        let missing = flags.keys.filter { manual.flags[$0] == nil }.map { "the manual lacks --\($0)" }
        let unknown = manual.flags.keys.filter { flags[$0] == nil }.map { "the command has no --\($0)" }
        let values = flags.filter { name, value in manual.flags[name, default: value] != value }
            .map { "the value of --\($0) is named \"\($1)\"" }
        return missing + unknown + values
            + arguments.subtracting(manual.arguments).map { "the manual lacks the argument \($0)" }
            + manual.arguments.subtracting(arguments).map { "the command has no argument \($0)" }
    }
}

/// The parts of a manual page (mdoc) that a test compares with the program.
public struct ManualPage: Sendable {
    /// The syntax of each command in the synopsis, by the command's words.
    public let commands: [String: CommandSyntax]
    /// The commands that the description explains.
    public let explained: Set<String>
    /// The long flags that the section OPTIONS explains.
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
        options = Set(flags.flatMap { Synopsis.syntax(of: $0).flags.keys })
    }

    /// The page of a program in the folder `docs` of this package.
    public static func ofProgram(_ name: String, file: StaticString = #filePath) throws -> ManualPage {
        let package = URL(fileURLWithPath: "\(file)")
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return ManualPage(try String(contentsOf: package.appendingPathComponent("docs/\(name).1"), encoding: .utf8))
    }

    private static func section(_ name: String, of lines: [String]) -> ArraySlice<String> {
        guard let start = lines.firstIndex(of: ".Sh \(name)") else { return [] }
        let rest = lines[(start + 1)...]
        return rest.prefix { !$0.hasPrefix(".Sh ") }
    }
}

/// The synopsis of a page: a block for each command, and the names for groups of flags that follow `.Pp`.
private struct Synopsis {
    private var commands: [String: CommandSyntax] = [:]
    private var groups: [String: CommandSyntax] = [:]
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
            Self.add(line, to: &commands[name, default: CommandSyntax()])
        } else if words.count == 2, words[0] == "Ar" {
            candidate = words[1]
        } else if let group {
            Self.add(line, to: &groups[group, default: CommandSyntax()])
        }
    }

    /// The commands, with the members of a group in place of its name.
    var expanded: [String: CommandSyntax] {
        commands.mapValues { expand($0) }
    }

    private func expand(_ syntax: CommandSyntax) -> CommandSyntax {
        var whole = syntax
        for (name, members) in groups where syntax.arguments.contains(name) {
            whole.arguments.remove(name)
            whole.merge(expand(members))
        }
        return whole
    }

    static func syntax(of line: String) -> CommandSyntax {
        var syntax = CommandSyntax()
        add(line, to: &syntax)
        return syntax
    }

    private static func add(_ line: String, to syntax: inout CommandSyntax) {
        var words = words(line)[...]
        while let macro = words.popFirst() {
            if macro == "Fl", let name = words.popFirst() {
                var value = ""
                if words.first == "Ar" {
                    words.removeFirst()
                    value = words.popFirst() ?? ""
                }
                // The name of `--` alone, which ends the flags, is a single hyphen.
                if name.hasPrefix("-"), name != "-" { syntax.flags[String(name.dropFirst())] = value }
            } else if macro == "Ar" {
                let names = words.prefix { !macros.contains($0) }
                words = words.dropFirst(names.count)
                // An argument with an ellipsis belongs to the one before it.
                if names.last != "..." { syntax.arguments.formUnion(names) }
            }
        }
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

extension CommandSyntax {
    fileprivate mutating func merge(_ other: CommandSyntax) {
        flags.merge(other.flags) { present, _ in present }
        arguments.formUnion(other.arguments)
    }
}
