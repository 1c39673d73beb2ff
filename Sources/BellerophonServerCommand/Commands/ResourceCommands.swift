import ArgumentParser
import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation

/// `bellerophon-server resource`: manages the resources that clients download.
struct ResourceCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resource",
        abstract: "Publish files over the air, list them, go back, remove old ones.",
        subcommands: [
            ResourcePutCommand.self, ResourceListCommand.self, ResourceRollbackCommand.self, ResourceDeleteCommand.self,
            ResourcePruneCommand.self,
        ]
    )
}

/// `bellerophon-server resource put`.
struct ResourcePutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Publish a file, or an address elsewhere, as a resource's newest version.",
        discussion: """
            The same bytes as the newest version publish nothing new, unless --version asks for it.

            EXAMPLES
              bellerophon-server resource put help.txt docs/help.txt --reason "new keys"
              bellerophon-server resource put film.mp4 --url https://cdn.example.com/film.mp4 --version 3
            """
    )

    @Argument(help: "The resource's name: letters, digits, '.', '_' and '-'.")
    var name: String
    @Argument(help: "The file with its bytes.", completion: .file())
    var file: String?
    @Option(help: ArgumentHelp("Publish an http or https address in place of a file.", valueName: "url"))
    var url: String?
    @Option(help: ArgumentHelp("The version, above the newest. Default: the next.", valueName: "number"))
    var version: Int64?
    @Option(help: ArgumentHelp("The SHA-256 that the bytes must have.", valueName: "hex"))
    var sha256: String?
    @Option(help: ArgumentHelp("The MD5 that the bytes must have.", valueName: "hex"))
    var md5: String?
    @Option(help: ArgumentHelp("With --url: how many bytes there are.", valueName: "bytes"))
    var size: Int64?
    @OptionGroup var change: ChangeOptions
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        let (source, key) = (try source(), try change.request.key())
        let target = try await reply.target.open()
        let put = try await target.put(name, source, reason: change.reason, key: key, dryRun: change.dryRun)
        try reply.output.write(put.resource, Output.line(text(put.resource, isNew: put.isNew)))
        if !change.dryRun { await target.noteDelay() }
    }

    private func text(_ resource: ResourceVersion, isNew: Bool) -> String {
        let verb = change.dryRun ? "would be published" : "published"
        let version = "\(name) v\(resource.version)"
        return isNew ? "\(version) \(verb)" : "\(version) is the same already; nothing new \(verb)"
    }

    private func source() throws -> ResourceSource {
        switch (file, url) {
        case (let file?, nil):
            guard size == nil else { throw CommandError.usage("--size: goes with --url only") }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue,
                FileManager.default.isReadableFile(atPath: file)
            else { throw CommandError("can't read the file \(file)", exitCode: SystemExit.noInput) }
            return .file(
                URL(fileURLWithPath: file), ["version": version.map(String.init), "md5": md5, "sha256": sha256])
        case (nil, let url?):
            return .external(ExternalResource(url: url, version: version, md5: md5, sha256: sha256, size: size))
        case (nil, nil): throw CommandError.usage("resource put: name a file, or an address with --url")
        case (_?, _?): throw CommandError.usage("resource put: a file and --url can't both be the bytes")
        }
    }
}

/// `bellerophon-server resource list`.
struct ResourceListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the resources, or every version of one."
    )

    @Argument(help: "The resource whose versions are listed.")
    var name: String?
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        let resources = try await reply.target.open().resources(name)
        if let name, resources.isEmpty {
            throw CommandError("there is no resource \(JSONText.quoted(name))", exitCode: SystemExit.noInput)
        }
        try reply.output.write(
            resources, ["NAME", "VERSION", "BYTES", "SHA-256", "TIME", "WHO", "WHERE", "WHY"], none: "no resources"
        ) { one in
            [
                one.name, "v\(one.version)", one.size.map(String.init) ?? "?", one.sha256.map { String($0.prefix(12)) } ?? "?",
                TimeText.text(one.at), one.who, one.externalURL ?? "here", one.reason ?? "-",
            ]
        }
    }
}

/// `bellerophon-server resource rollback`.
struct ResourceRollbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Publish an older version's bytes again, under a new, higher version.",
        discussion: """
            Clients only move up, so going back is a version of its own. Shows what will be published, and asks. Without a \
            terminal it needs --yes.

            EXAMPLE
              bellerophon-server resource rollback help.txt --version 3 --reason "typo in v4"
            """
    )

    @Argument(help: "The resource's name.")
    var name: String
    @Option(
        help: ArgumentHelp("The version to go back to. Default: the newest one with other bytes.", valueName: "number"))
    var version: Int64?
    @Flag(name: .shortAndLong, help: "Publish without asking.")
    var yes = false
    @OptionGroup var change: ChangeOptions
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        let target = try await reply.target.open()
        if !change.dryRun, !yes { try await confirm(target) }
        let resource = try await rollback(at: target, dryRun: change.dryRun)
        try reply.output.write(resource, Output.line(text(resource)))
        if !change.dryRun { await target.noteDelay() }
    }

    private func rollback(at target: OperatorTarget, dryRun: Bool) async throws -> ResourceVersion {
        let body = RollbackBody(version: version, reason: change.reason)
        return try await target.rollback(name, body, key: try change.request.key(), dryRun: dryRun)
    }

    private func confirm(_ target: OperatorTarget) async throws {
        try Confirmation.checkTerminal(for: "a rollback")
        let now = try await target.resources(name).first
        let next = try await rollback(at: target, dryRun: true)
        var facts = FactList()
        facts.append("publish", "\(name) v\(next.version) with the bytes of v\(next.fromVersion ?? 0)")
        facts.append("bytes", next.size.map(String.init))
        facts.append("sha-256", next.sha256)
        facts.append("why", change.reason ?? "no reason given")
        facts.append("now", now.map { "v\($0.version) since \(TimeText.text($0.at)), by \($0.who)" })
        try Confirmation.ask("Publish this?", facts, of: target)
    }

    private func text(_ resource: ResourceVersion) -> String {
        let from = resource.fromVersion.map { " with the bytes of v\($0)" } ?? ""
        return "\(name) v\(resource.version) \(change.dryRun ? "would be published" : "published")\(from)"
    }
}
