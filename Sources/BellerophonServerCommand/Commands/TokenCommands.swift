import ArgumentParser
import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation

/// `bellerophon-server token`: manages who may publish and read over the network.
struct TokenCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list and revoke the tokens of a store.",
        discussion: """
            On the server's own machine, or with --server and a token with the scope tokens, which can make no token that \
            allows more than it does itself. A running server knows of a change at once.
            """,
        subcommands: [TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self]
    )
}

/// `bellerophon-server token create`.
struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a token; it is shown this once.",
        discussion: """
            The store keeps only its SHA-256. The journal records the token's name with every change.

            A scope is one of:
              publish                 statuses and resources
              statuses                statuses of all apps, statuses:APP of one, statuses:APP/CHANNEL of one channel
              resources               resources
              tokens                  making and revoking tokens with --server
              read                    the journal and the lists, read:APP of one app
            Each allows reading too, of an app's own rows only if it names one.

            A person counts once where two are needed, whatever tokens they have. There, one token can't have publish and tokens, \
            and a token that publishes is made on the server's machine. A token that is made with --server ends with the one \
            that made it at the latest, and shares its quota.

            EXAMPLES
              bellerophon-server token create --name ada --scope publish
              bellerophon-server token create --name ada-tokens --person ada --scope tokens
              bellerophon-server token create --name ci --scope statuses:notes/beta --scope resources --expires 90d
              bellerophon-server token create --name wall --scope read --output wall.token
            """
    )

    @Option(help: ArgumentHelp("Whom it is for: a-z, 0-9, '.', '_' and '-'; never used before.", valueName: "name"))
    var name: String
    @Option(
        help: ArgumentHelp("The person who gets it, such as their login. Default: the token's name.", valueName: "name"))
    var person: String?
    @Option(
        help: ArgumentHelp(
            "What it allows; can be given several times.", discussion: "One of \(TokenScope.forms).", valueName: "scope"),
        completion: .list(TokenScope.Kind.allCases.map(\.rawValue)))
    var scope: [String]
    @Option(
        help: ArgumentHelp(
            "End it by itself after this time, such as 12h or 90d. Without it, it is valid until revoked.", valueName: "time"),
        transform: DurationArgument.wholeSeconds)
    var expires: Int64?
    @Option(
        help: ArgumentHelp(
            "The most bytes of resources that it may have published and not removed, such as 500MB.", valueName: "size"),
        transform: Self.byteCount)
    var quota: Int64?
    @Option(
        help: ArgumentHelp("Write the token to this new file, for its owner only, in place of showing it.", valueName: "file"),
        completion: .file())
    var output: String?
    @OptionGroup var reply: ReplyOptions

    private struct Created: Encodable {
        let token: String?
        let record: TokenRecord
    }

    func run() async throws {
        let scopes = try TokenScope.list(scope.joined(separator: ","))
        let target = try await reply.target.open()
        // Before the token, so that no token is lost.
        let file = try output.map { (handle: try Self.newFile($0), path: $0) }
        var isMade = false
        defer { if let file, !isMade { unlink(file.path) } }
        let created = try await target.createToken(
            TokenRequest(name: name, person: person, scopes: scopes, quota: quota, expiresAfter: expires.map { .seconds($0) }))
        isMade = true
        let (token, record) = (created.token, created.record)
        if let file { try Self.write(token, to: file.handle, file.path) }
        if reply.output.json { return try Output.write(json: Created(token: file == nil ? token : nil, record: record)) }
        if file == nil { try Output.write(token) }
        let place = output.map { "it is in \($0)" } ?? "it is not shown again"
        let end = record.expiresAt.map { ", until \(TimeText.text($0))" } ?? ""
        let allowed = scopes.map(\.description).joined(separator: ",")
        Output.writeError(Output.line("token \(record.name) (\(allowed)\(end)) of \(target.description); \(place)"))
    }

    private static func byteCount(_ text: String) throws -> Int64 {
        guard let bytes = ByteCountText.bytes(text) else {
            throw ValidationError("expected a size such as 500MB, 2GB or 1048576")
        }
        return bytes
    }

    /// Makes the file for its owner only.
    private static func newFile(_ path: String) throws -> FileHandle {
        do {
            return FileHandle(fileDescriptor: try FileCalls.open(path, O_WRONLY | O_CREAT | O_EXCL), closeOnDealloc: true)
        } catch {
            let reason = error.code == EEXIST ? "it is there already" : error.reason
            throw CommandError("--output: can't make \(path): \(reason)", exitCode: SystemExit.cantCreate)
        }
    }

    private static func write(_ token: String, to file: FileHandle, _ path: String) throws {
        do {
            try file.write(contentsOf: Data((token + "\n").utf8))
            try file.synchronize()
        } catch {
            throw CommandError(
                "--output: can't write \(path): \((error as NSError).localizedDescription)",
                hint: "revoke the token and make another", exitCode: SystemExit.ioError
            )
        }
    }
}

/// `bellerophon-server token list`.
struct TokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tokens, revoked ones too.")

    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        try reply.output.write(
            try await reply.target.open().tokens(),
            ["NAME", "PERSON", "SCOPE", "QUOTA", "CREATED", "BY", "LAST USED", "EXPIRES", "REVOKED"], none: "no tokens"
        ) { one in
            [
                one.name, one.person, one.scopes.map(\.description).joined(separator: ","), one.quota.map(String.init) ?? "-",
                TimeText.text(one.createdAt), one.createdBy,
                one.lastUsedAt.map(TimeText.text) ?? "never", one.expiresAt.map(TimeText.text) ?? "-",
                one.revokedAt.map(TimeText.text) ?? "-",
            ]
        }
    }
}

/// `bellerophon-server token revoke`.
struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke a token permanently.")

    @Argument(help: "The token's name.")
    var name: String
    @Option(help: ArgumentHelp("Why, for the journal.", valueName: "text"))
    var reason: String?
    @OptionGroup var reply: ReplyOptions

    func run() async throws {
        let record = try await reply.target.open().revokeToken(name, reason: reason)
        try reply.output.write(record, Output.line("token \(record.name) is revoked"))
    }
}
