import Bellerophon
import BellerophonBase
import Foundation

/// What is known of the versions of a program that asks for itself, as text, as JSON and as an exit status. A pure value.
package struct VersionReport: Equatable, Sendable {
    /// How the program stands to what can be had.
    package enum Standing: Equatable, Sendable {
        /// The source has nothing newer.
        case upToDate
        /// The source would install this newer version.
        case newer(UpdateCandidate)
        /// A newer version than the one that runs is installed already, and the source has nothing newer than that.
        case installed(String)
        /// It can't be told. The text is a whole sentence.
        case unclear(String)
    }

    /// The name of the program, for sentences.
    private let name: String
    private let source: UpdateSource
    /// The version that runs.
    private let running: String
    private let findings: UpdateFindings

    package init(name: String, _ source: UpdateSource, running: String, _ findings: UpdateFindings) {
        (self.name, self.source, self.running, self.findings) = (name, source, running, findings)
    }

    package var standing: Standing {
        // The first one is the choice of the source. A higher one, which a person has to name, is not offered.
        guard case .versions(let candidates) = findings.available, let newest = candidates.first else {
            return .unclear(reason)
        }
        if case .obstacle(let problem) = newest.trial, Self.isLess(present, newest.version) {
            return .unclear("\(source.name) \(problem).")
        }
        if Self.isLess(present, newest.version) { return .newer(newest) }
        return Self.isLess(running, present) ? .installed(present) : .upToDate
    }

    /// The shell command that gets the newest version; nil if there is none.
    package var command: String? {
        switch standing {
        case .upToDate, .installed: nil
        case .newer(let candidate): source.command(for: candidate, isDefault: true)
        case .unclear: findings.available == .notAsked ? source.command(for: nil, isDefault: true) : nil
        }
    }

    /// The exit status of a check: 0 up to date, 10 a newer version can be had or is installed, 69 it can't be told.
    package var exitCode: Int32 {
        switch standing {
        case .upToDate: 0
        case .newer, .installed: 10
        case .unclear: 69
        }
    }

    // MARK: Text

    package var text: String { lines.joined(separator: "\n") }

    private var lines: [String] {
        let place = "\(source.name), \(path)"
        return switch standing {
        case .upToDate: ["\(name) \(running) is the newest version that \(source.name) has (\(path))."] + refresh
        case .installed(let version):
            [
                "\(name) \(version) is installed, and this process is still \(running) (\(place)). The next start is the new version."
            ]
        case .newer(let candidate):
            ["\(name) \(running) runs, and \(candidate.version) can be had (\(place))."] + pin + [next]
        case .unclear(let reason): ["\(name) \(running) runs (\(path)). \(reason)"] + (command == nil ? [] : [next])
        }
    }

    private var next: String {
        command.map { "Get it with: \($0)" } ?? "\(name) can't update itself there: update it with \(source.name)."
    }

    private var refresh: [String] {
        source.refreshCommand.map { ["The list of \(source.name) may be old. Make it new with: \($0)"] } ?? []
    }

    private var pin: [String] {
        findings.isPinned ? ["\(source.name) was told to keep the installed version, and may refuse."] : []
    }

    private var reason: String {
        switch findings.available {
        case .versions, .nothing: "\(source.name) has no version of \(source.package ?? name)."
        case .failed(let text), .elsewhere(let text): "\(source.name) \(text)."
        case .notAsked where Self.unnamed.contains(source.kind):
            "It was not installed by a package manager that is known, so which versions can be had is not known: get a new one where this one is from, and put it in the same place."
        case .notAsked:
            "It was installed with \(source.name), which is not asked: look for a newer version there."
        }
    }

    /// The names of sources that are no package managers.
    private static let unnamed = ["file", "unknown"]

    private var path: String { source.installation.path }

    /// The version that is installed, or else the one that runs.
    private var present: String { findings.installed ?? running }

    // MARK: After the command

    /// Whether the command has led to a newer version.
    /// - Parameter now: what was found after its end.
    package func hasMoved(_ now: UpdateFindings) -> Bool { now.installed.map { Self.isLess(present, $0) } ?? false }

    /// What the command has led to, in sentences.
    package func text(after now: UpdateFindings) -> String {
        let first: String, last: [String]
        if let found = now.installed, hasMoved(now) {
            (first, last) = ("\(name) \(found) is installed (was \(present))." + better(than: found), [])
        } else if let found = now.installed {
            first = "The command has ended well, and nothing has moved: \(found) is still installed (\(source.name), \(path))."
            last = advice(now)
        } else {
            let problem = now.installedProblem?.english
            let why = problem.map { "\(source.installedName ?? source.name) \($0)" } ?? "nothing on this machine says it"
            first = "The command has ended well, and it is not known which version is installed now: \(why)."
            last = ["Compare with: \(path) --version"]
        }
        return ([first] + copies(now) + last).joined(separator: "\n")
    }

    private func better(than version: String) -> String {
        guard case .newer(let candidate) = standing, Self.isLess(version, candidate.version) else { return "" }
        return " It is not \(candidate.version), which can be had too."
    }

    private func copies(_ now: UpdateFindings) -> [String] {
        now.copies.map { copy in
            copy.isFirst
                ? "Another copy is \(copy.path), and a shell starts that one: remove or update it."
                : "Another copy is \(copy.path), behind this one in PATH: the update may have reached that one."
        }
    }

    private func advice(_ now: UpdateFindings) -> [String] {
        var lines: [String] = []
        if now.isPinned || findings.isPinned {
            let how = source.unpinCommand.map { "Release it with: \($0)" } ?? "Release it there, and try again."
            lines.append("\(source.name) was told to keep the installed version. \(how)")
        }
        lines += refresh
        if let command { lines.append("What was run: \(command)") }
        return lines
    }

    private static func isLess(_ left: String, _ right: String) -> Bool {
        guard let left = AppVersion(left), let right = AppVersion(right) else { return false }
        return left < right
    }
}

extension VersionReport: Encodable {
    private enum Key: String, CodingKey {
        case source, package, path, running, installed, available, newest, command, problem
    }

    /// One object. `package`, `installed`, `newest` and `command` are null if there is none; `problem` is there if it can't be told
    /// what can be had.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(source.kind, forKey: .source)
        try members.encode(source.package, forKey: .package)
        try members.encode(path, forKey: .path)
        try members.encode(running, forKey: .running)
        try members.encode(findings.installed, forKey: .installed)
        let versions = if case .versions(let candidates) = findings.available { candidates.map(\.version) } else { [String]() }
        try members.encode(versions, forKey: .available)
        try members.encode(versions.first, forKey: .newest)
        try members.encode(command, forKey: .command)
        if case .unclear(let reason) = standing { try members.encode(reason, forKey: .problem) }
    }

    package var json: String { JSONText.sanitized(encoding: self) ?? "" }
}
