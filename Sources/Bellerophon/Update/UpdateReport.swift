package import Foundation

/// What is known of a required update, for everything that shows it.
package struct UpdateReport: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// The source is being asked.
        case asking
        /// The source has this version, which is enough.
        case ready(String)
        /// The source has no version that is enough; its highest one, or nil if it has none at all.
        case notYet(best: String?)
        /// It is not known what can be had. The text says why, as the end of a sentence that begins with the source; nil if there is no
        /// way to ask.
        case unclear(LocalizedText?)
        /// This version is installed and is enough, but an older one runs.
        case installed(String)
        /// The command has ended well, and the installed version is still not enough.
        case unmoved(Attempt, found: String?)
        /// The command has ended well, and nothing tells which version is installed. The text says why.
        case unproved(Attempt, LocalizedText?)
        /// The command has failed.
        case failed(Attempt)
        /// The new version was started, and has failed at once.
        case broken(version: String?, end: LocalizedText, lines: [String])
    }

    /// A run of the command.
    package struct Attempt: Equatable, Sendable {
        package var command: String
        /// How the command ended, as the verb of a sentence: `failed with exit code 100`.
        package var end: LocalizedText
        /// The last lines of its output. They are safe to draw.
        package var lines: [String]

        package init(command: String, end: LocalizedText, lines: [String]) {
            (self.command, self.end, self.lines) = (command, end, lines)
        }
    }

    /// Another copy of the program in `PATH`.
    package struct Copy: Equatable, Sendable {
        package var path: String
        /// Whether a shell finds it before the program.
        package var isFirst: Bool

        package init(path: String, isFirst: Bool) {
            (self.path, self.isFirst) = (path, isFirst)
        }
    }

    package var state: State
    /// How the program was installed, in words: `apt`, `Homebrew`; nil if that is not known.
    package var source: String?
    /// The path of the program.
    package var path: String?
    /// What the key `u` does; nil if it does nothing.
    package var action: UpdateAction?
    /// Whether the source keeps the installed version because a person wants it to.
    package var isPinned = false
    /// The command after which the source no longer keeps it; nil if none is known.
    package var unpinCommand: String?
    package var copies: [Copy] = []

    package init(_ state: State, source: String? = nil, path: String? = nil, action: UpdateAction? = nil) {
        (self.state, self.source, self.path, self.action) = (state, source, path, action)
    }
}

/// What a person can do about a required update.
package enum UpdateAction: Equatable, Sendable {
    case run(UpdateCommand)
    /// Start the program again, because the required version is installed.
    /// - version: the version; nil if it is not known.
    case restart(version: String?)
    /// Go on without the update until a date, because it can't be had.
    case goOn(until: Date)
}

/// A shell command that updates a program, or lets its source look for newer versions.
package struct UpdateCommand: Equatable, Sendable {
    package enum Purpose: Equatable, Sendable {
        case update
        /// Only the list of versions is made new.
        case refresh
    }

    package var text: String
    package var purpose = Purpose.update
    /// The version that the command is to install; nil if none was named.
    package var version: String?
    /// Whether the program is ended and started again right after the command.
    package var restarts = false
    /// Whether an older version is wanted.
    package var goesBack = false

    package init(
        _ text: String, purpose: Purpose = .update, version: String? = nil, restarts: Bool = false, goesBack: Bool = false
    ) {
        (self.text, self.purpose, self.version) = (text, purpose, version)
        (self.restarts, self.goesBack) = (restarts, goesBack)
    }
}
