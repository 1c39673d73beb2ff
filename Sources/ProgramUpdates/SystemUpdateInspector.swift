import Bellerophon
package import Processes

/// Asks the package managers of this machine.
package struct SystemUpdateInspector: UpdateInspector {
    package let source: UpdateSource
    package var probe: UpdateProbe

    /// - Parameter environment: the variables of the commands that are asked, and the `PATH` in which copies are looked for.
    package init(_ source: UpdateSource, environment: ProcessVariables = .current) {
        self.source = source
        probe = UpdateProbe(environment: environment)
    }

    package func findings(_ isWanted: (String) -> Bool) -> UpdateFindings {
        var findings = installed()
        // All questions share one end.
        var probe = probe
        probe.deadline = .now + probe.availableLimit
        findings.available = tried(available(probe), isWanted, probe)
        return findings
    }

    /// Finds out what stands in the way of the first version that would do, if the source can be asked that.
    private func tried(
        _ available: UpdateFindings.Availability, _ isWanted: (String) -> Bool, _ probe: UpdateProbe
    ) -> UpdateFindings.Availability {
        guard case .versions(var versions) = available, source.options.command == nil, let tryInstall = source.manager.tryInstall
        else {
            return available
        }
        for index in versions.indices { versions[index].trial = .due }
        if let index = versions.firstIndex(where: { isWanted($0.version) }) {
            versions[index].trial = tryInstall(source, versions[index].name, index == 0, probe)
        }
        return .versions(versions)
    }

    package func installed() -> UpdateFindings {
        var findings = source.manager.installed(source, probe)
        if let command = source.options.versionCommand {
            (findings.installed, findings.installedProblem) = stated(command)
        }
        findings.copies = ProgramCopies.find(source.installation, path: probe.environment["PATH"] ?? "", probe.files)
        return findings
    }

    /// The version that the app's own command prints, or why there is none.
    private func stated(_ command: [String]) -> (String?, LocalizedText?) {
        guard Self.isCommand(command) else { return (nil, .phrase(\.obstacles.noCommand)) }
        let output = probe.run(command, probe.installedLimit, 4096)
        guard let text = output.result else { return (nil, UpdateProbe.end(output)) }
        let version = ProgramVersion.first(in: text)
        return (version, version == nil ? .phrase(\.obstacles.noVersion) : nil)
    }

    private func available(_ probe: UpdateProbe) -> UpdateFindings.Availability {
        guard let command = source.options.availableCommand else { return source.manager.available(source, probe) }
        guard Self.isCommand(command) else { return .failed(UpdateProbe.notAsked(.phrase(\.obstacles.emptyCommand))) }
        let output = probe.run(command, probe.availableLimit)
        return output.result.map(StatedVersions.availability)
            ?? .failed(UpdateProbe.problem(command[0], UpdateProbe.end(output)))
    }

    private static func isCommand(_ words: [String]) -> Bool {
        words.first?.isEmpty == false && words.allSatisfy { !$0.utf8.contains(0) }
    }
}

/// What the app's own command prints about the versions that can be had.
enum StatedVersions {
    /// The most versions that are read.
    private static let limit = 1000

    /// Each line begins with a version; other lines are left out. The highest version is the first one.
    static func availability(_ text: String) -> UpdateFindings.Availability {
        let words = text.split(whereSeparator: \.isNewline).compactMap { $0.split(whereSeparator: \.isWhitespace).first }
        let found = words.prefix(limit).compactMap { word -> UpdateCandidate? in
            let name = String(word)
            guard name.utf8.count <= 128, name.wholeMatch(of: /[A-Za-z0-9.+:~_\-]+/) != nil else { return nil }
            let version = AppVersion(name) == nil ? ProgramVersion.ofPackage(name) : name
            return version.map { UpdateCandidate(version: $0, name: name) }
        }
        if words.isEmpty { return .nothing }
        return found.isEmpty
            ? .failed(UpdateProbe.notAsked(.phrase(\.obstacles.commandWithoutVersion))) : .versions(UpdateCandidate.sorted(found))
    }
}

/// Programs of the same name in `PATH`.
enum ProgramCopies {
    private static let folderLimit = 256
    private static let limit = 16

    static func find(_ installation: Installation, path: String, _ files: some InstallFiles) -> [UpdateReport.Copy] {
        guard let name = installation.path.split(separator: "/").last else { return [] }
        var copies: [UpdateReport.Copy] = [], seen: Set<String> = []
        var isFirst = true
        for folder in path.split(separator: ":").prefix(folderLimit) where folder.hasPrefix("/") {
            let place = "\(folder)/\(name)"
            guard let file = files.realPath(place), files.isFile(file) else { continue }
            if file == installation.file { isFirst = false }
            guard file != installation.file, files.isExecutable(file), seen.insert(file).inserted else { continue }
            copies.append(.init(path: UpdateProbe.shown(place, limit: 1024), isFirst: isFirst))
            if copies.count == limit { break }
        }
        return copies
    }
}

/// Finds out what is installed and what can be had.
package protocol UpdateInspector: Sendable {
    /// How the program is updated.
    var source: UpdateSource { get }

    /// Asks the source and the program. The thread waits, at most about 35 seconds.
    /// - Parameter isWanted: whether a version would do. The first one that would is tried, where the source can do that.
    func findings(_ isWanted: (String) -> Bool) -> UpdateFindings

    /// Asks only what is installed, after an update. The thread waits, at most about 3 seconds.
    func installed() -> UpdateFindings
}

extension UpdateInspector {
    /// Asks the source and the program, and tries the version that the source installs by itself.
    package func findings() -> UpdateFindings { findings { _ in true } }
}
