import ArgumentParser
import BellerophonBase
import Foundation
import SafeText

/// The options for a message in several languages.
struct MessageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The message for people with this language, from a file. Can be repeated, up to 16 times.",
            discussion:
                "Such as de=message.de.txt. People with another language read --message, and so do those with older clients.",
            valueName: "language=file"))
    var messageFile: [String] = []

    /// Puts the message and its translations into a rule.
    /// - Parameter message: the message for everybody else.
    func apply(_ message: String?, to draft: inout RuleDraft) throws(CommandError) {
        draft.message = message
        draft.messages = try messages()
    }

    /// The messages by language tag.
    func messages() throws(CommandError) -> [String: String] {
        var messages: [String: String] = [:]
        for text in messageFile {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[1].isEmpty else {
                throw .usage(
                    "--message-file: expected a language and a file such as de=message.de.txt, found \(JSONText.quoted(text))")
            }
            let data = try InputFile.read(parts[1], limit: TextSanitizer.byteLimit, for: "--message-file")
            guard let message = String(bytes: data, encoding: .utf8) else {
                throw CommandError("--message-file: \(parts[1]) is not UTF-8", exitCode: SystemExit.dataError)
            }
            let known = messages.updateValue(message.trimmingCharacters(in: .whitespacesAndNewlines), forKey: parts[0])
            guard known == nil else { throw .usage("--message-file: the language \(parts[0]) is there twice") }
        }
        return messages
    }
}
