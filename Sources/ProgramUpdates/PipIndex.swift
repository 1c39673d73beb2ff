import Bellerophon
internal import Processes

/// What pip says about a package in the places that it knows.
struct PipIndex {
    private static let outputLimit = 1 << 20

    let package: String
    /// The interpreter of the package's environment.
    let python: String
    /// Options that name places, in place of those of pip's settings.
    var options: [String] = []

    private func question(_ words: [String]) -> [String] {
        // With no retry pip says nothing about a network that is down.
        [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "--no-color", "--retries", "1", "--timeout", "10"]
            + words + options
    }

    /// Asks for the versions. The network is used.
    func availability(_ probe: UpdateProbe) -> UpdateFindings.Availability {
        func ask(_ words: [String]) -> CommandOutput { probe.run(question(words), probe.availableLimit, Self.outputLimit) }
        switch Self.reading(ask(["index", "versions", package])) {
        case .known(let availability): return availability
        case .noIndexCommand:
            // pip before 21.2 names the versions when none of them is the wanted one.
            return Self.olderReading(ask(["install", "\(package)=="]))
        case .none:
            // pip says the same for a package that the index does not have and for an index that refuses.
            let output = ask(["-vv", "index", "versions", package])
            guard case .ended = output.outcome else { return .failed(UpdateProbe.problem("pip", UpdateProbe.end(output))) }
            return Self.problem(in: output.allText).map { .failed(UpdateProbe.notAsked($0)) } ?? .nothing
        }
    }

    /// Whether a version that is not listed can be installed. Nothing is installed, and no code of the package is run.
    func has(_ version: String, _ probe: UpdateProbe) -> Bool {
        guard let wanted = PipText.requirement(package, version) else { return false }
        let words = ["install", "--dry-run", "--no-deps", "--ignore-installed", "--only-binary=:all:", wanted]
        return probe.run(question(words), probe.availableLimit, Self.outputLimit).outcome == .ended(.exit(0))
    }

    enum Reading: Equatable {
        case known(UpdateFindings.Availability)
        /// pip has found no version, for whatever reason.
        case none
        /// This pip is too old to have the command.
        case noIndexCommand
    }

    static func reading(_ output: CommandOutput) -> Reading {
        let failure = Reading.known(.failed(UpdateProbe.problem("pip", UpdateProbe.end(output))))
        guard case .ended(let end) = output.outcome else { return failure }
        let text = output.allText
        if let names = text.firstMatch(of: /(?m)^Available versions: (.*)$/)?.1 {
            return .known(versions(names))
        }
        if end == .exit(0) { return .known(.failed(UpdateProbe.problem("pip", .phrase(\.ends.notUnderstood)))) }
        if text.contains("unknown command \"index\"") { return .noIndexCommand }
        if text.contains("No matching distribution found") {
            return problem(in: text).map { .known(.failed(UpdateProbe.notAsked($0))) } ?? .none
        }
        return failure
    }

    /// The reply of an older pip to a requirement without a version.
    static func olderReading(_ output: CommandOutput) -> UpdateFindings.Availability {
        guard let match = output.allText.firstMatch(of: /\(from versions: ([^)]*)\)/) else {
            return .failed(UpdateProbe.problem("pip", UpdateProbe.end(output)))
        }
        if let problem = problem(in: output.allText) { return .failed(UpdateProbe.notAsked(problem)) }
        // It names prereleases too, which pip does not install by itself.
        let names = match.1.split(separator: ",").filter { !$0.contains(/[a-z]/) }
        return versions(names.reversed().joined(separator: ",")[...])
    }

    private static func versions(_ names: Substring) -> UpdateFindings.Availability {
        let words = names.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
        let found = words.compactMap { name -> UpdateCandidate? in
            guard PipText.version(name) != nil else { return nil }
            return PipText.ruleVersion(name).map { UpdateCandidate(version: $0, name: name) }
        }
        guard let first = words.first, first != "none" else { return .nothing }
        guard found.first?.name == first else {
            return .failed(UpdateProbe.incomparable(String(first)))
        }
        return .versions([found[0]] + UpdateCandidate.sorted(Array(found.dropFirst())))
    }

    /// What pip has written about an index that can't be reached or that refuses. A page that does not exist is no problem: the index
    /// has no such package.
    static func problem(in text: String) -> LocalizedText? {
        for line in text.split(whereSeparator: \.isNewline) {
            if line.contains("Retrying (") || line.contains("connection error") { return .phrase(\.obstacles.indexUnreachable) }
            if line.contains("is not a trusted or secure host") { return .phrase(\.obstacles.indexUntrusted) }
            if line.contains("SSL") && line.contains("verif") { return .phrase(\.obstacles.indexCertificate) }
            if let match = line.firstMatch(of: /Could not fetch URL [^ ]+ ?(?:([0-9]{3}) )?/), match.1 != "404" {
                return match.1.map { .phrase(\.obstacles.indexReplied, ["code": .foreign(String($0))]) }
                    ?? .phrase(\.obstacles.indexUnreachable)
            }
        }
        return nil
    }
}

/// The grammar of names and versions of Python's packages.
enum PipText {
    static func package(_ text: String?) -> String? { ShellWord.matching(/[A-Za-z0-9]([A-Za-z0-9._\-]*[A-Za-z0-9])?/, text) }

    static func version(_ text: String) -> String? { ShellWord.matching(/[0-9][A-Za-z0-9.!+_\-]*/, text) }

    /// A package with a version, as pip takes it: `notes==1.5.2`.
    static func requirement(_ name: String?, _ version: String?) -> String? {
        guard let name = package(name) else { return nil }
        guard let version else { return name }
        return self.version(version).map { "\(name)==\($0)" }
    }

    /// A version of PEP 440 in the form that rules compare: `1.5.0-rc.1` for `1.5.0rc1`. A post-release becomes build metadata, so
    /// it counts as its release.
    /// - Returns: nil for an epoch, for more than four numbers, and for a prerelease of a prerelease.
    static func ruleVersion(_ text: String) -> String? {
        let form =
            #/
            (?i) v? ([0-9]+(?:\.[0-9]+)*)
            (?: [._\-]? (a|alpha|b|beta|c|rc|pre|preview) [._\-]? ([0-9]*) )?
            (?: [._\-]? post [._\-]? ([0-9]*) | - ([0-9]+) )?
            (?: [._\-]? dev [._\-]? ([0-9]*) )?
            (?: \+ ([a-z0-9]+(?:[._\-][a-z0-9]+)*) )?
            /#
        guard text.utf8.count <= 64, let match = text.wholeMatch(of: form) else { return nil }
        func number(_ digits: Substring) -> String { digits.isEmpty ? "0" : String(digits) }
        var version = String(match.1)
        if let letters = match.2 {
            guard match.6 == nil else { return nil }
            let kind = ["a": "a", "b": "b"][String(letters.lowercased().prefix(1))] ?? "rc"
            version += "-\(kind).\(number(match.3 ?? ""))"
        } else if let development = match.6 {
            guard match.4 == nil, match.5 == nil else { return nil }
            // Lower than every other prerelease.
            version += "-0.dev.\(number(development))"
        }
        var build: [String] = []
        if let post = match.4 ?? match.5 { build.append("post\(number(post))") }
        if let local = match.7 { build.append(String(local).replacing(/[_\-]/, with: ".")) }
        if !build.isEmpty { version += "+" + build.joined(separator: ".") }
        return AppVersion(version) == nil ? nil : version
    }
}
