import ArgumentParser
import BellerophonServer
import BellerophonStore
import BellerophonTrust
import Foundation
import StatusModel

/// `bellerophon-server export`: writes everything that clients read as static files.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that clients read as static files, for an object store or a CDN.",
        discussion: """
            The files' paths are those of the server: status, v1/apps/APP/status, GBCloudBoxResourcesMeta/NAME, \
            GBCloudBoxResourcesData/NAME/VERSION. With a key the signed documents are there too; export again before half \
            of their lifetime is over, which signs anew what needs it. Statuses come first: a resource whose bytes are \
            lost keeps no kill back. Each file is replaced as a whole, one that is the same is not touched, and \
            one that is not published any more is removed. The file _headers and bellerophon-export.json say with \
            which headers to serve them.

            Export again at each change; a hook's command can do that. The command says at which time to export again even if \
            nothing is published: until then the files are what a server would reply.

            EXAMPLES
              bellerophon-server export public --public-url https://cdn.example.com
              bellerophon-server export public --public-url https://cdn.example.com --signing-key signing.jwk --until-next
            """
    )

    @Argument(help: "A folder of an earlier export, an empty one, or one that is not there yet.", completion: .directory)
    var folder: String
    @Option(help: ArgumentHelp("Where the files will be served; resources are named with it.", valueName: "url"))
    var publicURL: String
    @Option(
        help: ArgumentHelp("Sign statuses and resources with this key too; keygen makes one.", valueName: "file"),
        completion: .file(extensions: ["jwk"]))
    var signingKey: String?
    @Option(
        help: ArgumentHelp("Seconds that a signed document holds. Default: 86400.", valueName: "seconds"),
        transform: DurationArgument.wholeSeconds)
    var signingLifetime: Int64 = 86_400
    @Flag(help: "Sign nothing, and remove the signed documents of an earlier export.")
    var unsigned = false
    @Option(
        help: ArgumentHelp("How long to wait for another export to the same folder. Default: 30.", valueName: "seconds"),
        transform: DurationArgument.wholeSeconds)
    var wait: Int64 = 30
    @Flag(help: "Show what would be written and removed, and change nothing.")
    var dryRun = false
    @Flag(
        help: "Print the time at which to export again even if nothing is published, or never, as the only line of output.")
    var untilNext = false
    @OptionGroup var storing: StoreOptions
    @OptionGroup var output: JSONOptions

    func run() async throws {
        try checkOptions()
        let store = try await storing.open()
        let address = try BaseAddress.read(publicURL, option: "--public-url")
        let (changes, failures) = try await export(store, at: address)
        let next = try next(store).map { PlanTime.text($0) }
        try untilNext ? Output.write(next ?? "never") : show(changes)
        if let next, !untilNext, !dryRun { Output.writeError("export again at \(next), even if nothing is published until then") }
        try report(failures)
    }

    /// When time alone changes the files: a timed status ends, a rule begins or ends, or half of a signature's lifetime is over.
    private func next(_ store: Store) throws -> Date? {
        let renewal = signingKey == nil ? nil : Date().addingTimeInterval(Double(signingLifetime) / 2)
        // A later second, so that the change has happened then.
        let change = try store.nextChange().map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.up)) }
        return [change, renewal].compactMap(\.self).min()
    }

    private func export(_ store: Store, at address: String) async throws -> (changes: ExportChanges, failures: [CommandError]) {
        let place = URL(fileURLWithPath: self.folder, isDirectory: true)
        // The folder is checked first: a folder with other files gets no lock file.
        _ = try ExportFolder(place)
        func apply() async throws -> (changes: ExportChanges, failures: [CommandError]) {
            // After the wait for the lock, so that an older state never replaces a newer one.
            _ = try await store.writeDue()
            let folder = try ExportFolder(place)
            return try folder.apply(try StaticExport(store, at: address, signer: try signer(folder)), dryRun: dryRun)
        }
        return dryRun ? try await apply() : try await ExportLock.hold(place, limit: .seconds(wait), apply)
    }

    private func checkOptions() throws {
        guard DocumentSigner.lifetimes.contains(signingLifetime) else {
            throw CommandError.usage("--signing-lifetime: expected 60 to 31536000 seconds, found \(signingLifetime)")
        }
        guard (0...3600).contains(wait) else { throw CommandError.usage("--wait: expected 0 to 3600 seconds, found \(wait)") }
        guard !untilNext || !dryRun && !output.json else {
            throw CommandError.usage("--until-next prints the time of the next export, so it goes without --dry-run and --json")
        }
        guard signingKey == nil || !unsigned else {
            throw CommandError.usage("--signing-key and --unsigned contradict each other")
        }
    }

    /// Nil if nothing is signed.
    private func signer(_ folder: ExportFolder) throws -> DocumentSigner? {
        guard let signingKey else {
            guard unsigned || !folder.hasSigned else {
                throw CommandError.usage(
                    "the earlier export is signed, and clients that take signed documents only would hear of no kill any more",
                    hint: "give --signing-key, or --unsigned to remove the signed documents; nothing was changed"
                )
            }
            return nil
        }
        let key = try SigningKey.read(file: URL(fileURLWithPath: signingKey))
        return DocumentSigner(key, lifetime: .seconds(signingLifetime))
    }

    private func show(_ changes: ExportChanges) throws {
        let verb = dryRun ? "would be " : ""
        let done =
            "\(changes.written.count) \(verb)written, \(changes.unchanged.count) unchanged, \(changes.removed.count) \(verb)removed"
        try output.write(changes, changes.failed.isEmpty ? done : "\(done), \(changes.failed.count) failed")
    }

    /// Prints each failure, and throws a summary with the exit code of the first.
    private func report(_ failures: [CommandError]) throws {
        guard let first = failures.first else { return }
        for failure in failures.prefix(Self.told) { failure.show() }
        let more = failures.count > Self.told ? "\(failures.count - Self.told) more failures; " : ""
        throw CommandError("\(more)the export is not complete; everything else is there", exitCode: first.exitCode)
    }

    /// Further failures are only counted, since they probably have one cause.
    private static let told = 20
}
