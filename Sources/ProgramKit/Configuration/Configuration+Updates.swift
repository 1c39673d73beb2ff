import Bellerophon
import BellerophonBase
import Foundation

/// The settings of an app's updates. A status can't set any of them.
extension Configuration {
    static let updateSettings: [Setting<Configuration>] = [
        .url("update.link", "BELLEROPHON_UPDATE_LINK", "where to get an update if the status doesn't say") {
            $0.app.link = $1.absoluteString
        },
        .text(
            "update.command", "BELLEROPHON_UPDATE_COMMAND",
            "the shell command that the key `u` runs, in place of the source's own; it finds the wanted version in `BELLEROPHON_UPDATE_VERSION`, if one is known, and the program's path in `BELLEROPHON_UPDATE_PROGRAM`; a status can't set it"
        ) { $0.app.update.command = $1 },
        .text(
            "update.source", "BELLEROPHON_UPDATE_SOURCE", expected: "a name such as apt, of \(AppFact.nameRule)",
            "how the app was installed, in place of what is found out: apt, pip, pipx and file can be updated, and other names are only shown",
            where: { AppFact.problem(ofName: $0) == nil }
        ) { $0.app.update.source = $1 }.orNull("for what is found out") { $0.app.update.source = nil },
        .text(
            "update.package", "BELLEROPHON_UPDATE_PACKAGE",
            expected: "the name of a package such as example, of \(UpdateSettingRules.packageRule)",
            "the name of the app's package in its source; null (default) takes the package that contains the program",
            where: UpdateSettingRules.isPackage
        ) { $0.app.update.package = $1 }.orNull("for the one that is found out") { $0.app.update.package = nil },
        .command(
            "update.availableCommand", "BELLEROPHON_UPDATE_AVAILABLE_COMMAND", example: ["/usr/bin/example-versions", "--all"],
            "the command that prints the versions that can be had, one at the beginning of each line, in place of asking the source; it may take 30 seconds"
        ) { $0.app.update.availableCommand = $1 },
        .command(
            "update.versionCommand", "BELLEROPHON_UPDATE_VERSION_COMMAND", example: ["/usr/bin/example", "--version"],
            "the command that prints the installed version, which proves an update, in place of asking the source; it may take 2 seconds"
        ) { $0.app.update.versionCommand = $1 },
        Setting(
            "update.whenUnavailable", "BELLEROPHON_UPDATE_WHEN_UNAVAILABLE",
            expected: "\"cover\", or a date in UTC such as \"2026-12-01\" or \"2026-12-01T08:00:00Z\"",
            "what applies while the required version can't be had: the app stays covered (cover), or the person may go on until this date",
            reading: { $0.string.flatMap(UpdateSettingRules.whenUnavailable) }
        ) { $0.app.update.whenUnavailable = $1 }.withDefault("cover"),
    ]
}

/// The rules of the texts in an app's update settings.
enum UpdateSettingRules {
    static let packageRule =
        "1 to 200 letters (a-z, A-Z), digits and \".\", \"_\", \"-\", \"+\", \"@\", \"/\" and \":\", the first one a letter, a digit or \"@\""
    static let commandRule = "1 to \(wordLimit) words of at most \(byteLimit) bytes without control characters"
    static let programRule = "the first one an absolute path or a name that is searched in PATH"
    private static let wordLimit = 64
    private static let byteLimit = 4096

    /// A name that begins with a hyphen would be an option of the source's command.
    static func isPackage(_ text: String) -> Bool {
        text.utf8.count <= 200 && text.wholeMatch(of: /[A-Za-z0-9@][A-Za-z0-9._+@\/:\-]*/) != nil
    }

    /// Whether words can be started as a command. A path that depends on the current folder would name another program in each.
    static func isCommand(_ words: [String]) -> Bool {
        guard let program = words.first, !program.isEmpty, words.count <= wordLimit else { return false }
        return (program.hasPrefix("/") || !program.contains("/"))
            && words.allSatisfy { $0.utf8.count <= byteLimit && !$0.unicodeScalars.contains(where: \.isInvisible) }
    }

    /// - Returns: nil for a text that is neither `cover` nor a date.
    static func whenUnavailable(_ text: String) -> UpdateOptions.WhenUnavailable? {
        if text == "cover" { return .cover }
        return (PlanTime.date(text) ?? PlanTime.date(text + "T00:00:00Z")).map { .goOn(until: $0) }
    }
}

extension Setting<Configuration> {
    /// A setting for a command with its arguments: an array of words, text with spaces between them, or null for none.
    fileprivate static func command(
        _ path: String, _ variable: String, example: [String], _ help: String, _ set: @escaping Setter<[String]?>
    ) -> Setting {
        let rule = "\(UpdateSettingRules.commandRule), \(UpdateSettingRules.programRule)"
        return Setting(
            path, variable, expected: "a command such as \(example), of \(rule)", help,
            reading: { $0.words.flatMap { UpdateSettingRules.isCommand($0) ? $0 : nil } }
        ) { (configuration: inout Configuration, words: [String]) in set(&configuration, words) }
        .orNull("for none") { set(&$0, nil) }
        .expectingText("a command such as \"\(example.joined(separator: " "))\", with spaces between its words: \(rule)")
    }
}
