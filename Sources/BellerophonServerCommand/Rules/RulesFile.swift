import BellerophonBase
import Foundation

/// The rules in a private temporary file, for an editor.
struct RulesFile {
    let path: String
    private let folder: String
    private let original: String

    /// - Throws: ``CommandError`` if the file can't be made.
    init(_ current: CurrentRules) throws(CommandError) {
        original = JSONNode.array(current.rules).prettyText() + "\n"
        var template = Array((NSTemporaryDirectory() as NSString).appendingPathComponent("bellerophon-rules-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.failure("make a folder for the text", errno) }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = (folder as NSString).appendingPathComponent("rules.json")
        guard FileManager.default.createFile(atPath: path, contents: Data(original.utf8), attributes: [.posixPermissions: 0o600])
        else { throw Self.failure("write \(path)", errno) }
    }

    private static func failure(_ what: String, _ number: Int32) -> CommandError {
        CommandError("can't \(what): \(String(cString: strerror(number)))", exitCode: SystemExit.cantCreate)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// Opens the editor until the text can be used.
    /// - Returns: the change; nil if nothing was changed.
    /// - Throws: ``CommandError`` if the person gives up. The file stays.
    func edited(_ current: CurrentRules) throws(CommandError) -> RulesDifference? {
        while true {
            try open()
            do throws(CommandError) {
                let data = try InputFile.read(path, limit: RuleTexts.fileLimit, for: nil)
                guard data != Data(original.utf8) else { return nil }
                return try RulesDifference(from: current.rules, to: try RuleTexts.rules(data, origin: "the edited text"))
            } catch {
                error.show()
                guard Confirmation.hasTerminal, Self.wantsToGoOn() else {
                    throw CommandError("nothing was published: the edited text can't be used", exitCode: SystemExit.dataError)
                }
            }
        }
    }

    private static func wantsToGoOn() -> Bool {
        try? FileHandle.standardError.write(contentsOf: Data("Edit it again? [Y/n] ".utf8))
        guard let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() else { return false }
        return ["", "y", "yes"].contains(answer)
    }

    /// The command of the editor: `$VISUAL`, else `$EDITOR`, else `vi`.
    static func editor(_ environment: [String: String]) -> String {
        ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.trimmingCharacters(in: .whitespaces).isEmpty } ?? "vi"
    }

    /// Runs the editor in the foreground of this terminal.
    private func open() throws(CommandError) {
        let editor = Self.editor(ProcessInfo.processInfo.environment)
        let quoted = "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'"
        // system(3) keeps this process alive while the person presses Ctrl-C in the editor.
        guard system("\(editor) \(quoted)") == 0 else {
            throw CommandError(
                "nothing was published: the editor \(JSONText.quoted(editor)) failed",
                hint: "set VISUAL or EDITOR to another editor, or use `bellerophon-server rules put`", exitCode: 1)
        }
    }
}

/// The change from one list of rules to another one.
struct RulesDifference {
    /// The rules that are new or changed.
    private(set) var put: [JSONNode] = []
    /// The ids of the rules that are not in the new list.
    private(set) var remove: [String] = []
    /// Whether the new list has rules of the old one in another order, or new rules before them. A change can't express that.
    private(set) var movesRules = false

    /// - Throws: ``CommandError`` if a client would not understand a rule that is new or changed.
    /// - Returns: nil if both lists have the same rules.
    init?(from old: [JSONNode], to new: [JSONNode]) throws(CommandError) {
        let origin = "the edited text"
        let known = Dictionary(old.map { (RuleTexts.id($0), $0.compactText()) }) { first, _ in first }
        var ids: [String] = []
        for rule in new {
            guard let id = RuleTexts.id(rule) else {
                throw CommandError("\(origin): each rule must be an object with an \"id\"", exitCode: SystemExit.dataError)
            }
            guard !ids.contains(id) else {
                throw CommandError("\(origin): two rules have the id \(JSONText.quoted(id))", exitCode: SystemExit.dataError)
            }
            ids.append(id)
            if known[id] != rule.compactText() { put.append(rule) }
        }
        let oldIDs = old.compactMap(RuleTexts.id)
        remove = oldIDs.filter { !ids.contains($0) }
        let result = oldIDs.filter(ids.contains) + ids.filter { !oldIDs.contains($0) }
        movesRules = result != ids
        guard !put.isEmpty || !remove.isEmpty else { return nil }
        try RuleTexts.validate(put, remove: remove, origin: origin)
    }
}
