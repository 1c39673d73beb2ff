import ArgumentParser
import Foundation

/// The help of `bellerophon guard`, which has the arguments and flags of its default command too.
///
/// The parser lists only the subcommands there, and most people use none of them.
enum GuardHelp {
    private static let requests = [["guard", "--help"], ["guard", "-h"], ["help", "guard"]]

    /// The help; nil if the arguments ask for something else.
    static func text(for arguments: [String]) -> String? {
        guard requests.contains(arguments) else { return nil }
        let own = BellerophonCommand.helpMessage(for: GuardCommand.self)
        let run = BellerophonCommand.helpMessage(for: GuardRunCommand.self)
        return joined(own, run)
    }

    /// The first help, with the sections of the second from its arguments on in place of its own flags.
    private static func joined(_ own: String, _ run: String) -> String {
        guard let flags = own.range(of: "\nOPTIONS:\n"), let commands = own.range(of: "\nSUBCOMMANDS:\n"),
            let arguments = run.range(of: "\nARGUMENTS:\n"), flags.lowerBound < commands.lowerBound
        else { return own }
        return String(own[..<flags.lowerBound]) + String(run[arguments.lowerBound...]) + String(own[commands.lowerBound...])
    }
}
