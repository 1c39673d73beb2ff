import ArgumentParser
import BellerophonBase
import BellerophonServer
import BellerophonStore
import Foundation

/// The options that select a store.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use the store in this folder, or in this database of PostgreSQL.",
            discussion:
                "A database has an address such as postgresql://HOST/DATABASE. Default: $BELLEROPHON_SERVER_STORE, else that of --config, else $XDG_DATA_HOME/bellerophon-server, else ~/.local/share/bellerophon-server.",
            valueName: "folder"),
        completion: .directory
    )
    var store: String?

    @Option(
        help: ArgumentHelp("Use the store that this file of the server's settings names.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var config: String?

    func open() async throws -> Store { try await location().open() }

    /// The folder of the store, or of this machine's copy of it.
    func folder() throws -> URL { try location().folder }

    func location() throws -> StoreLocation {
        let environment = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
        var configuration = try settingsOfFile()
        configuration.store = store ?? environment["BELLEROPHON_SERVER_STORE"] ?? configuration.store
        configuration.copy = environment["BELLEROPHON_SERVER_COPY"] ?? configuration.copy
        configuration.content = environment["BELLEROPHON_SERVER_CONTENT"] ?? configuration.content
        return configuration.storeLocation(environment)
    }

    /// The server's settings, from the file and the environment.
    func settings() throws -> ServerConfiguration {
        var configuration = try settingsOfFile()
        try configuration.apply(environment: ProcessInfo.processInfo.environment)
        try configuration.validate()
        return configuration
    }

    private func settingsOfFile() throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        if let config {
            let data = try InputFile.read(config, limit: ServerConfiguration.fileLimit, for: "--config")
            try configuration.apply(file: data, origin: config)
        }
        return configuration
    }
}

/// The options that select a command's target: a store of this machine, or a running server.
struct TargetOptions: ParsableArguments {
    @OptionGroup var storing: StoreOptions

    @Option(
        help: ArgumentHelp(
            "Talk to the running server at this http or https address.",
            discussion: "With a token: in $BELLEROPHON_TOKEN, or in the file that --token-file names.", valueName: "url")
    )
    var server: String?

    @Option(help: ArgumentHelp("Read the token from this file.", valueName: "file"), completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "How long to retry while the server is busy or does not reply. Default: 60.", valueName: "seconds"),
        transform: DurationArgument.wholeSeconds)
    var timeout: Int64?

    func open() async throws -> OperatorTarget {
        guard let server else {
            guard tokenFile == nil else { throw CommandError.usage("--token-file: means nothing without --server URL") }
            guard timeout == nil else { throw CommandError.usage("--timeout: means nothing without --server URL") }
            return OperatorTarget(try await storing.open(), author: .thisProcess())
        }
        let limit = timeout ?? 60
        guard (1...3600).contains(limit) else {
            throw CommandError.usage("--timeout: expected 1 to 3600 seconds, found \(limit)")
        }
        for (option, value) in [("--store", storing.store), ("--config", storing.config)] where value != nil {
            throw CommandError.usage("--server and \(option) contradict each other: give one of them")
        }
        return OperatorTarget(try ServerTransport(server, token: try token(), limit: .seconds(limit)))
    }

    /// The operator's token, from the file, otherwise from the environment; nil if there is none. It is never an argument, because other
    /// users can see a process's arguments.
    private func token() throws -> String? {
        var (text, origin) = (ProcessInfo.processInfo.environment["BELLEROPHON_TOKEN"] ?? "", "BELLEROPHON_TOKEN")
        if let tokenFile {
            let data = try InputFile.read(tokenFile, limit: 4096, for: "--token-file")
            (text, origin) = (String(decoding: data, as: UTF8.self), tokenFile)
        } else if text.isEmpty {
            return nil
        }
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.count <= 256, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandError.usage("\(origin): holds no token", hint: "a token is one word that begins with blp_")
        }
        return token
    }
}

/// The options that select a status's scope.
struct ScopeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The app.", valueName: "name"))
    var app = Scope.defaultApp

    @Option(
        help: ArgumentHelp(
            "One channel of the app. The channel main is the app itself: what stops it stops every channel.", valueName: "name"))
    var channel = Scope.mainChannel

    func scope() throws -> Scope { try Scope(app: app, channel: channel) }
}

/// The option for scripts.
struct JSONOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false

    /// Prints a value as JSON, or as a text for a person.
    func write(_ value: some Encodable, _ text: @autoclosure () throws -> String) throws {
        try json ? Output.write(json: value) : Output.write(text())
    }

    /// Prints rows as JSON, or as a table for a person.
    /// - Parameter none: what a person is told if there are no rows.
    func write<Row: Encodable>(_ rows: [Row], _ titles: [String], none: String, cells: (Row) -> [String]) throws {
        guard json || !rows.isEmpty else { return Output.writeError(none) }
        try write(rows, TextTable.text(titles, rows.map(cells)))
    }
}

/// The options of a command that changes something.
struct ChangeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Why, for the journal.", valueName: "text"))
    var reason: String?

    @Flag(help: "Show what would be published, and publish nothing.")
    var dryRun = false

    @OptionGroup var request: RequestKeyOptions
}

/// The option that makes the repetition of a request safe.
struct RequestKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Carry the request with this key out once, however often it is sent. A command whose outcome is unknown says which key it had.",
            valueName: "key")
    )
    var requestKey: String?

    /// The given key, or a new one.
    func key() throws -> RequestKey {
        try requestKey.map { text throws(StoreError) in try RequestKey(text) } ?? .make()
    }
}

extension InputFile {
    /// Reads a file that a person has named.
    /// - Parameter option: the option that names it, for errors.
    /// - Throws: ``CommandError`` if it can't be read.
    static func read(_ path: String, limit: Int, for option: String) throws(CommandError) -> Data {
        do {
            return try read(path, limit: limit)
        } catch {
            throw CommandError("\(option): can't read \(path): \(error)", exitCode: SystemExit.noInput)
        }
    }
}
