import Bellerophon
import Foundation
import Processes
import TestSupport
import Testing

@testable import ProgramUpdates

/// A package manager with its own folders: the machine is not changed, and no network is used.
struct ManagerRig {
    let folder: TestFolder
    /// The variables that lead the manager into the folder.
    var variables: [String: String?] = [:]

    init() throws { folder = try TestFolder() }

    /// The path of the folder without links.
    var root: String { SystemFiles().realPath(folder.url.path) ?? folder.url.path }

    /// Asks what is installed and what can be had.
    func inspector(_ source: UpdateSource) -> SystemUpdateInspector {
        SystemUpdateInspector(source, environment: ProcessVariables(folder.environment(variables)))
    }

    func findings(_ source: UpdateSource) async throws -> UpdateFindings { try await ask(source) { $0.findings() } }

    func installed(_ source: UpdateSource) async throws -> UpdateFindings { try await ask(source) { $0.installed() } }

    private func ask(
        _ source: UpdateSource, _ question: @escaping @Sendable (SystemUpdateInspector) -> UpdateFindings
    ) async throws -> UpdateFindings {
        var inspector = inspector(source)
        // A busy machine needs longer than a person would wait.
        (inspector.probe.availableLimit, inspector.probe.installedLimit) = (patience, patience)
        let asked = inspector
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: question(asked)) }
        }
    }

    /// Runs a command as a person's shell does, with nothing on standard input.
    @discardableResult
    func run(_ command: String?) async throws -> CommandResult {
        let command = try #require(command)
        return try await runCommand("/bin/sh", ["-c", command], environment: variables, home: folder, within: patience)
    }

    /// Runs a command that must succeed.
    func need(_ command: String?) async throws {
        let result = try await run(command)
        guard result.status == .exited(0) else {
            throw TestError("\(command ?? "") failed", detail: result.standardOutput + result.standardError)
        }
    }

    static func has(_ paths: String...) -> Bool { paths.allSatisfy { access($0, F_OK) == 0 } }
}

extension UpdateFindings {
    /// The versions that can be had, as the source spells them; nil if it names none.
    var names: [String]? {
        if case .versions(let candidates) = available { candidates.map(\.name) } else { nil }
    }

    /// The candidate of a name.
    func candidate(_ name: String) throws -> UpdateCandidate {
        guard case .versions(let candidates) = available else { throw TestError("no versions", detail: "\(available)") }
        return try #require(candidates.first { $0.name == name })
    }
}
