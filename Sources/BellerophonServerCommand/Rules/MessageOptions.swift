import ArgumentParser
import BellerophonBase
import BellerophonStore
import Foundation
import SafeText
import StatusModel

/// The options for a message in several languages.
struct MessageOptions: ParsableArguments {
    @Option(
        name: .long,
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
        guard messageFile.count <= Translations.limit else {
            throw .usage("--message-file: at most \(Translations.limit) languages, found \(messageFile.count)")
        }
        var messages: [String: String] = [:]
        for text in messageFile {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, StatusPlan.isLanguageTag(parts[0]), !parts[1].isEmpty else {
                throw .usage(
                    "--message-file: expected a language and a file such as de=message.de.txt, found \(JSONText.quoted(text))")
            }
            let tag = parts[0]
            if let known = messages.keys.first(where: { $0.lowercased() == tag.lowercased() }) {
                throw .usage("--message-file: the language \(known) is there twice")
            }
            messages[tag] = try Self.message(path: parts[1])
        }
        return messages
    }

    private static func message(path: String) throws(CommandError) -> String {
        let data: Data
        do {
            data = try InputFile.read(path, limit: TextSanitizer.byteLimit)
        } catch {
            throw CommandError("--message-file: can't read \(path): \(error)", exitCode: SystemExit.noInput)
        }
        guard let text = String(bytes: data, encoding: .utf8) else {
            throw CommandError("--message-file: \(path) is not UTF-8", exitCode: SystemExit.dataError)
        }
        let message = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !message.isEmpty else {
            throw CommandError("--message-file: \(path) has no text", exitCode: SystemExit.dataError)
        }
        return message
    }
}
