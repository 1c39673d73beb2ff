import Foundation
import Testing

/// Expects that the manual of a program describes the commands and flags that the program has, and no others.
public func expectTheManualOf(_ program: String, at location: SourceLocation = #_sourceLocation) async throws {
    let page = try ManualPage.ofProgram(program)
    let commands = try await ProgramSyntax.commands(of: program)
    #expect(page.explained == Set(commands.keys), sourceLocation: location)
    #expect(Set(page.commands.keys) == Set(commands.keys), sourceLocation: location)
    for (name, parts) in commands {
        let described = page.commands[name] ?? []
        #expect(parts.subtracting(described) == [], "missing in the manual of \(name)", sourceLocation: location)
        #expect(described.subtracting(parts) == [], "only in the manual of \(name)", sourceLocation: location)
    }
    let flags = commands.values.joined().filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != " " }) }
    #expect(page.options == Set(flags).union(["--help", "--version"]), sourceLocation: location)
}

/// The flags and arguments of a program's commands, from the description that the argument parser prints of them.
public enum ProgramSyntax {
    /// What each command without subcommands takes, by its words: `--config file`, `--quiet`, `name`.
    /// - Parameter name: a program of this package.
    public static func commands(of name: String) async throws -> [String: Set<String>] {
        let result = try await runCommand(try Products.path(name), ["--experimental-dump-help"])
        let description = try JSONDecoder().decode(Description.self, from: Data(result.standardOutput.utf8))
        var commands: [String: Set<String>] = [:]
        for command in description.command.subcommands ?? [] { add(command, after: "", to: &commands) }
        return commands
    }

    private struct Description: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        let shouldDisplay: Bool
        let names: [Name]?
        let valueName: String?
    }

    private static func add(_ command: Command, after words: String, to commands: inout [String: Set<String>]) {
        guard command.commandName != "help" else { return }
        let name = words.isEmpty ? command.commandName : "\(words) \(command.commandName)"
        if let subcommands = command.subcommands, !subcommands.isEmpty {
            for subcommand in subcommands { add(subcommand, after: name, to: &commands) }
        } else {
            commands[name] = parts(command.arguments ?? [])
        }
    }

    private static func parts(_ arguments: [Argument]) -> Set<String> {
        var parts: Set<String> = []
        for argument in arguments where argument.shouldDisplay {
            if argument.kind == "positional" {
                parts.insert(argument.valueName ?? "")
            } else if let name = argument.names?.first(where: { $0.kind == "long" })?.name, !isCommon(name, argument.kind) {
                parts.insert(argument.kind == "flag" ? "--\(name)" : "--\(name) \(argument.valueName ?? "")")
            }
        }
        return parts
    }

    /// Every command takes `--help` and `--version`. A command's own `--version` takes a value.
    private static func isCommon(_ name: String, _ kind: String) -> Bool {
        name == "help" || name == "version" && kind == "flag"
    }
}
