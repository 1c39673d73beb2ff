import ArgumentParser
import BellerophonBase

/// Explains a command line whose first words name no command.
enum UnknownCommand {
    /// The problem with the most similar command; nil if the words name a command.
    ///
    /// The parser takes an unknown word for an argument of the default command, and its message says nothing of commands.
    static func problem(_ arguments: ArraySlice<String>, of command: any ParsableCommand.Type) -> String? {
        var command = command
        var path = command.configuration.commandName ?? ""
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-"), word != "help", !AddressArgument.isAddress(word) else { return nil }
            guard let next = subcommands.first(where: { name(of: $0) == word }) else {
                let isProgram = command == GuardCommand.self
                let hint = isProgram ? " (to guard a program, put it after --, as in `bellerophon guard -- \(word)`)" : ""
                return "bellerophon: there is no command \"\(path) \(word)\""
                    + EditDistance.suggestion(for: word, among: subcommands.map(name)) + hint
            }
            command = next
            path += " " + word
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }
}
