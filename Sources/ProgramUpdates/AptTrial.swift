import Bellerophon
internal import Processes

/// An installation by apt that is only tried (`apt-get -s`), with the packages that have to move together: those of one source package
/// often depend on each other in exactly one version, and apt refuses to move one of them alone, or removes the others.
struct AptTrial {
    let package: String
    let version: String
    /// Whether apt installs the version by itself.
    let isDefault: Bool

    /// The most questions. Each one names the packages that the former one has found.
    private static let most = 6

    /// - Parameter ask: runs apt-get with words.
    func run(_ ask: ([String]) -> CommandOutput) -> UpdateCandidate.Trial {
        var others: [String] = []
        for _ in 0..<Self.most {
            let target = isDefault ? package : "\(package)=\(version)"
            let output = ask(["install", "--allow-downgrades", target] + others)
            // What can't be asked stands in nobody's way.
            guard case .ended(let end) = output.outcome else { return .fine(with: []) }
            let reply = end == .exit(0) ? removals(output.text, others) : unmet(output.allText, others)
            switch reply {
            case .fine: return .fine(with: others)
            case .obstacle(let problem): return refused(problem)
            case .further(let more): others += more
            }
        }
        return refused(.phrase(\.obstacles.tooMany))
    }

    private func refused(_ reason: LocalizedText) -> UpdateCandidate.Trial {
        .obstacle(
            .phrase(\.obstacles.cannotInstall, ["version": .foreign(UpdateProbe.shown(version)), "reason": reason]))
    }

    /// What one reply means.
    enum Reply: Equatable {
        case fine
        /// These packages have to move too.
        case further([String])
        case obstacle(LocalizedText)
    }

    /// The packages that an installation that works would remove are asked for in the same version.
    func removals(_ text: String, _ others: [String]) -> Reply {
        let removed = text.split(separator: "\n").filter { $0.hasPrefix("Remv ") }
            .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
        if removed.isEmpty { return .fine }
        return further(removed.map { ($0, version) }, others)
            ?? .obstacle(
                .phrase(
                    \.obstacles.wouldRemove,
                    ["packages": .foreign(UpdateProbe.shown(removed.joined(separator: ", "), limit: 120))]))
    }

    /// The packages that an installation that does not work lacks in exactly one version.
    func unmet(_ text: String, _ others: [String]) -> Reply {
        let chosen = Set([package] + others.compactMap { $0.split(separator: "=").first.map(String.init) })
        var dependent = "", found: [(String, String)] = [], first: String?, last: String?
        for line in text.split(separator: "\n") {
            if line.hasPrefix("E: ") { last = String(line.dropFirst(3)) }
            guard let match = line.wholeMatch(of: /\ (?:([^ ]+)\ :|\ +)\ *(?:Pre)?Depends:\ ([^ ]+)(?:\ \(= ([^)]+)\))?.*/) else {
                continue
            }
            if let name = match.1 { dependent = String(name) }
            if first == nil { first = "\(dependent) \(line.trimmingPrefix(/[^:]*:?\ *(?=(Pre)?Depends)/))" }
            // A package that is not moved itself, and depends on the former version of one that is.
            if !chosen.contains(dependent) {
                found.append((dependent, version))
            } else if let exact = match.3 {
                found.append((String(match.2), String(exact)))
            }
        }
        let problem = (first ?? last).map { LocalizedText.foreign(UpdateProbe.shown($0, limit: 160)) }
        return further(found, others) ?? .obstacle(problem ?? .phrase(\.obstacles.refused))
    }

    /// - Returns: nil if one of the packages is asked for already, or has no name that can be asked for.
    private func further(_ packages: [(String, String)], _ others: [String]) -> Reply? {
        var words: [String] = []
        for (name, version) in packages {
            guard let name = AptText.package(name), let version = AptText.version(version), name != package,
                !others.contains(where: { $0.hasPrefix("\(name)=") })
            else { return nil }
            if !words.contains("\(name)=\(version)") { words.append("\(name)=\(version)") }
        }
        return words.isEmpty ? nil : .further(words)
    }
}
