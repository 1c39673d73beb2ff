import Bellerophon
internal import Processes

/// Debian's packages: apt, and dpkg below it.
extension UpdateManager {
    static let apt = {
        var apt = UpdateManager("apt")
        apt.installedTitle = "dpkg-query"
        apt.available = { source, probe in
            guard let package = AptText.package(source.package) else { return .notAsked }
            let output = probe.run(["apt-cache", "policy", package], probe.availableLimit)
            guard let policy = output.result else {
                return .failed(UpdateProbe.problem("apt-cache", UpdateProbe.end(output)))
            }
            let available = AptPolicy.availability(policy)
            guard source.options.package == nil, case .versions(let versions) = available,
                let installed = AptPolicy.unlistedVersion(policy)
            else { return available }
            return AptOrigin.problem(package, installed, versions[0].name, probe).map { .elsewhere($0) } ?? available
        }
        apt.installed = { source, probe in
            guard let package = AptText.package(source.package) else { return UpdateFindings() }
            return DpkgStatus.reading(probe.run(DpkgStatus.question(package), probe.installedLimit), package)
        }
        apt.tryInstall = { source, name, isDefault, probe in
            guard let package = AptText.package(source.package), AptText.version(name) != nil else { return .none }
            return AptTrial(package: package, version: name, isDefault: isDefault).run { words in
                probe.run(["apt-get", "-s", "-o", "Debug::NoLocking=true"] + words, probe.availableLimit)
            }
        }
        apt.install = { source, version, others in
            guard let package = AptText.package(source.package) else { return nil }
            let install = "apt-get install" + (source.assumesYes ? " -y" : "")
            let rest = others.map { " " + ShellWord.quoted($0) }.joined()
            guard let version else { return source.elevated("\(install) \(package)\(rest)") }
            guard let version = AptText.version(version) else { return nil }
            // apt otherwise refuses an older version where it can't ask.
            return source.elevated("\(install) --allow-downgrades \(ShellWord.quoted("\(package)=\(version)"))\(rest)")
        }
        apt.refresh = { source in source.elevated("apt-get update") }
        apt.unpin = { source in AptText.package(source.package).map { source.elevated("apt-mark unhold \($0)") } }
        return apt
    }()
}

/// The grammar of names and versions of Debian's packages. What is in it needs no quotes, except for `~`.
enum AptText {
    /// The name of a package, with its architecture if it has one; nil if the text is none.
    static func package(_ text: String?) -> String? { ShellWord.matching(/[a-z0-9][a-z0-9+.\-]+(:[a-z0-9][a-z0-9\-]*)?/, text) }

    static func version(_ text: String) -> String? { ShellWord.matching(/[0-9][A-Za-z0-9.+:~\-]*/, text) }
}

/// The output of `apt-cache policy`.
enum AptPolicy {
    /// The versions that apt can install. The first one is apt's choice, which its pins decide.
    ///
    /// A version that only this machine's list of installed packages has can't be had, unless it is apt's choice.
    static func availability(_ text: String) -> UpdateFindings.Availability {
        var candidate: String?, rows: [(version: String, isRemote: Bool)] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasPrefix("        ") {
                // A place of the version above: its priority and its address.
                guard words.count > 1, !rows.isEmpty, !words[1].hasPrefix("/") else { continue }
                rows[rows.count - 1].isRemote = true
            } else if line.hasPrefix("     ") || line.hasPrefix(" *** ") {
                guard let version = words.first(where: { $0 != "***" }) else { continue }
                rows.append((String(version), false))
            } else if words.first == "Candidate:" {
                candidate = words.dropFirst().first.map(String.init)
            }
        }
        guard let candidate, candidate != "(none)", rows.contains(where: \.isRemote) else { return .nothing }
        guard let first = Self.candidate(candidate) else {
            return .failed(UpdateProbe.incomparable(candidate))
        }
        let others = rows.filter { $0.isRemote && $0.version != candidate }.compactMap { Self.candidate($0.version) }
        return .versions([first] + UpdateCandidate.sorted(others))
    }

    /// The installed version, if no place of apt has it; nil if one has it, or if none is installed.
    static func unlistedVersion(_ text: String) -> String? {
        let lines = text.split(separator: "\n")
        guard let row = lines.firstIndex(where: { $0.hasPrefix(" *** ") }) else { return nil }
        let places = lines[(row + 1)...].prefix { $0.hasPrefix("        ") }
        let isListed = places.contains { $0.split(separator: " ").dropFirst().first?.hasPrefix("/") == false }
        return isListed ? nil : lines[row].split(separator: " ").dropFirst().first.map(String.init)
    }

    private static func candidate(_ name: String) -> UpdateCandidate? {
        guard AptText.version(name) != nil else { return nil }
        return ProgramVersion.ofPackage(name).map { UpdateCandidate(version: $0, name: name) }
    }
}

/// Whether the package that apt would install is the one that is installed. A package that came as a file may have the name of a
/// stranger's; a repository that has dropped the installed version has the same maintainer.
enum AptOrigin {
    /// Why a version of apt's places is not of the installed package, as the end of a sentence that begins with `apt`; nil if it is.
    static func problem(_ package: String, _ installed: String, _ candidate: String, _ probe: UpdateProbe) -> LocalizedText? {
        func maintainer(_ question: [String]) -> String? {
            probe.run(question, probe.availableLimit).result.flatMap { maintainers($0).first }
        }
        let own = maintainer(["dpkg-query", "-W", "-f=Maintainer: ${Maintainer}\n", package])
        let other = maintainer(["apt-cache", "show", "\(package)=\(candidate)"])
        if let own, own == other { return nil }
        return .phrase(
            \.obstacles.stranger,
            [
                "installed": .foreign(UpdateProbe.shown("\(package) \(installed)")), "package": .foreign(package),
                "maintainer": other.map { .foreign(UpdateProbe.shown($0)) } ?? .phrase(\.obstacles.unknownMaintainer),
            ])
    }

    static func maintainers(_ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("Maintainer: ") }.map { String($0.dropFirst(12)) }
    }
}

/// The output of `dpkg-query`.
enum DpkgStatus {
    static func question(_ package: String) -> [String] {
        ["dpkg-query", "-W", "-f=${db:Status-Abbrev}|${Version}\\n", package]
    }

    /// What dpkg says about a package: `ii |1:1.5.2-1`. The first letter is what is wanted (`h`: the version is kept), the second
    /// one the state, the third one an error.
    static func reading(_ output: CommandOutput, _ package: String) -> UpdateFindings {
        if output.outcome == .ended(.exit(1)), output.errorText.contains("no packages found") {
            return UpdateFindings(installed: nil, notInstalled(package))
        }
        guard let text = output.result else { return UpdateFindings(installed: nil, UpdateProbe.end(output)) }
        let fields = text.split(separator: "\n").first?.split(separator: "|", maxSplits: 1) ?? []
        guard fields.count == 2, fields[0].count >= 2 else {
            return UpdateFindings(installed: nil, .phrase(\.ends.notUnderstood))
        }
        let letters = Array(fields[0])
        var reading = UpdateFindings()
        reading.isPinned = letters[0] == "h"
        switch letters[1] {
        case "i" where letters.count < 3 || letters[2] == " ":
            reading.installed = ProgramVersion.ofPackage(String(fields[1]))
            if reading.installed == nil { reading.installedProblem = UpdateProbe.incomparable(String(fields[1])) }
        case "n", "c": reading.installedProblem = notInstalled(package)
        default: reading.installedProblem = .phrase(\.obstacles.unfinished, ["package": .foreign(package)])
        }
        return reading
    }

    private static func notInstalled(_ package: String) -> LocalizedText {
        .phrase(\.obstacles.notInstalled, ["package": .foreign(package)])
    }
}
