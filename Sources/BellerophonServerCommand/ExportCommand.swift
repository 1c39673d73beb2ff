#if Server
import ArgumentParser
import BellerophonServer
import BellerophonStore
import Foundation

/// `bellerophon-server export`: everything that clients read, as static files.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that clients read as static files, for an object store or a CDN.",
        discussion: """
            The files' paths are those of the server: status, v1/apps/APP/status, GBCloudBoxResourcesMeta/NAME, \
            GBCloudBoxResourcesData/NAME/VERSION. With a key the signed documents are there too; export again before half \
            of their lifetime is over, which signs anew what needs it. Each file is replaced as a whole, one that is the same is not touched, and \
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
    @Option(name: .long, help: ArgumentHelp("Sign statuses and resources with this key too; keygen makes one.", valueName: "file"), completion: .file(extensions: ["jwk"]))
    var signingKey: String?
    @Option(name: .long, help: ArgumentHelp("Seconds that a signed document holds.", valueName: "seconds"))
    var signingLifetime: Int64 = 86_400
    @Flag(name: .long, help: "Show what would be written and removed, and change nothing.")
    var dryRun = false
    @OptionGroup var storing: StoreOptions
    @OptionGroup var output: JSONOptions

    func run() async throws {
        try await reportingFailures {
            let store = try storing.open()
            _ = try await store.endDue()
            let paths = try StaticExport.Paths(publicURL: publicURL, meta: metaPath, data: dataPath)
            let folder = try ExportFolder(URL(fileURLWithPath: folder, isDirectory: true))
            let export = try StaticExport(store, paths: paths, signing: try signing(folder))
            let changes = try folder.apply(export, dryRun: dryRun)
            if output.json { return try Output.write(json: changes) }
            try Output.write(Output.line(text(changes)))
        }
    }

    private func signing(_ folder: ExportFolder) throws -> StaticExport.Signing? {
        guard DocumentSigner.lifetimes.contains(signingLifetime) else {
            throw CommandFailure.usage("--signing-lifetime: expected 60 to 31536000 seconds, found \(signingLifetime)")
        }
        guard let signingKey else { return nil }
        let signer = DocumentSigner(try SigningKeyFile.read(signingKey), lifetime: .seconds(signingLifetime))
        return StaticExport.Signing(signer: signer, now: Date(), former: folder.bytes(at:))
    }

    private func text(_ changes: ExportChanges) -> String {
        let verb = dryRun ? "would be " : ""
        return "\(changes.written.count) \(verb)written, \(changes.unchanged.count) unchanged, \(changes.removed.count) \(verb)removed"
    }
}
#endif
