#if Server
import ArgumentParser
import BellerophonServer
import BellerophonStore
import Foundation

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

            EXAMPLE
              bellerophon-server export public --public-url https://cdn.example.com
            """
    )

    @Argument(help: "A folder of an earlier export, an empty one, or one that is not there yet.", completion: .directory)
    var folder: String
    @Option(name: .long, help: ArgumentHelp("Where the files will be served; resources are named with it.", valueName: "url"))
    var publicURL: String
    @Option(name: .long, help: ArgumentHelp("The path of the resources' descriptions.", valueName: "path"))
    var metaPath = StaticExport.Paths.usual.meta
    @Option(name: .long, help: ArgumentHelp("The path of the resources' bytes.", valueName: "path"))
    var dataPath = StaticExport.Paths.usual.data
    @Option(
        name: .long, help: ArgumentHelp("Sign statuses and resources with this key too; keygen makes one.", valueName: "file"),
        completion: .file(extensions: ["jwk"]))
    var signingKey: String?
    @Option(name: .long, help: ArgumentHelp("Seconds that a signed document holds.", valueName: "seconds"))
    var signingLifetime: Int64 = 86_400
    @Flag(name: .long, help: "Sign nothing, and remove the signed documents of an earlier export.")
    var unsigned = false
    @Option(name: .long, help: ArgumentHelp("How long to wait for another export to the same folder.", valueName: "seconds"))
    var wait: Int64 = 30
    @Flag(name: .long, help: "Show what would be written and removed, and change nothing.")
    var dryRun = false
    @OptionGroup var storing: StoreOptions
    @OptionGroup var output: JSONOptions

    func run() async throws {
        try await reportingFailures {
            try checkOptions()
            let store = try storing.open()
            let paths = try StaticExport.Paths(publicURL: publicURL, meta: metaPath, data: dataPath)
            let place = URL(fileURLWithPath: self.folder, isDirectory: true)
            // The folder is checked first: a folder with other files gets no lock file.
            _ = try ExportFolder(place)
            let lock = dryRun ? nil : try await ExportLock.wait(place, limit: .seconds(wait))
            defer { lock?.release() }
            // After the wait for the lock, so that an older state never replaces a newer one.
            _ = try await store.endDue()
            let folder = try ExportFolder(place)
            let export = try StaticExport(store, paths: paths, signing: try signing(folder))
            let (changes, failures) = try folder.apply(export, dryRun: dryRun)
            if output.json { try Output.write(json: changes) } else { try Output.write(Output.line(text(changes))) }
            try report(failures)
        }
    }

    private func checkOptions() throws {
        guard DocumentSigner.lifetimes.contains(signingLifetime) else {
            throw CommandError.usage("--signing-lifetime: expected 60 to 31536000 seconds, found \(signingLifetime)")
        }
        guard (0...3600).contains(wait) else { throw CommandError.usage("--wait: expected 0 to 3600 seconds, found \(wait)") }
        guard signingKey == nil || !unsigned else {
            throw CommandError.usage("--signing-key and --unsigned contradict each other")
        }
    }

    private func signing(_ folder: ExportFolder) throws -> StaticExport.Signing? {
        guard let signingKey else {
            guard unsigned || !folder.hasSigned else {
                throw CommandError.usage(
                    "the earlier export is signed, and clients that take signed documents only would hear of no kill any more",
                    hint: "give --signing-key, or --unsigned to remove the signed documents; nothing was changed"
                )
            }
            return nil
        }
        let signer = DocumentSigner(try SigningKeyFile.read(signingKey), lifetime: .seconds(signingLifetime))
        return StaticExport.Signing(signer: signer, now: Date())
    }

    private func text(_ changes: ExportChanges) -> String {
        let verb = dryRun ? "would be " : ""
        let done =
            "\(changes.written.count) \(verb)written, \(changes.unchanged.count) unchanged, \(changes.removed.count) \(verb)removed"
        return changes.failed.isEmpty ? done : "\(done), \(changes.failed.count) failed"
    }

    /// Prints each failure, and throws a summary with the exit code of the first.
    private func report(_ failures: [CommandError]) throws {
        guard let first = failures.first else { return }
        for failure in failures.prefix(Self.told) {
            Output.note("bellerophon-server: \(Output.line(failure.message))")
            if let hint = failure.hint { Output.note("  \(Output.line(hint))") }
        }
        let more = failures.count > Self.told ? "\(failures.count - Self.told) more failures; " : ""
        throw CommandError("\(more)the export is not complete; everything else is there", exitCode: first.exitCode)
    }

    /// Further failures are only counted, since they probably have one cause.
    private static let told = 20
}
#endif
