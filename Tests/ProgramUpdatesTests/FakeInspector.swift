import Bellerophon
import ProgramUpdates
import Synchronization

/// A source with fixed replies.
final class FakeInspector: UpdateInspector {
    let source: UpdateSource
    private let before: UpdateFindings
    private let after: UpdateFindings
    private let count = Mutex(0)

    /// How often the installed version was read after a command.
    var readings: Int { count.withLock { $0 } }

    /// - Parameters:
    ///   - before: what is found at first.
    ///   - after: what is installed after the command.
    init(_ source: UpdateSource, _ before: UpdateFindings, after: UpdateFindings = UpdateFindings()) {
        (self.source, self.before, self.after) = (source, before, after)
    }

    func findings(_ isWanted: (String) -> Bool) -> UpdateFindings { before }

    func installed() -> UpdateFindings {
        count.withLock { $0 += 1 }
        return after
    }
}

extension UpdateFindings {
    /// What was found of an installed version and versions that can be had.
    static func found(_ installed: String?, _ available: String...) -> UpdateFindings {
        .with(.versions(available.map { UpdateCandidate(version: $0, name: $0) }), installed: installed)
    }

    static func with(_ available: Availability, installed: String? = nil) -> UpdateFindings {
        var findings = UpdateFindings()
        (findings.available, findings.installed) = (available, installed)
        return findings
    }
}

extension UpdateSource {
    /// How the program at a path is updated on this machine.
    static func of(path: String, options: UpdateOptions = UpdateOptions(), environment: [String: String]) -> UpdateSource {
        .of(InstallSource.find(path: path, environment: environment), options: options, environment: environment)
    }

    /// A program below /opt.
    /// - Parameter command: the app's own command.
    static func sample(_ source: String = "pip", command: String? = "make update") -> UpdateSource {
        var options = UpdateOptions()
        options.command = command
        let installation = Installation(source: source, package: "tool", path: "/opt/bin/tool", file: "/opt/lib/tool")
        return UpdateSource(installation, options, privilege: .root)
    }
}
