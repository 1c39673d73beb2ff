import ArgumentParser
import BellerophonServer
import BellerophonStore
import Foundation

/// `bellerophon-server init`: creates a store, or adopts one that was restored from a backup.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a store, once, before the first start of the server.",
        discussion: """
            The server makes none by itself: an empty folder in the place of a store, such as a volume that is not mounted, \
            would otherwise be served as a store in which nothing was ever killed. A store that is there already stays as \
            it is.

            After a backup was brought back, --restored moves the numbers of rows and versions ahead of all that clients may \
            have seen since, and publishes the present statuses and resources again under the new ones. Stop the server first.

            EXAMPLES
              bellerophon-server init --store /srv/status
              bellerophon-server init --restored --store /srv/status
            """
    )

    @Flag(help: "The folder was brought back from a backup: let clients follow it again.")
    var restored = false
    @OptionGroup var storing: StoreOptions

    func run() async throws {
        let folder = try storing.folder()
        restored ? try await restore(folder) : try make(folder)
    }

    private func make(_ folder: URL) throws {
        let file = folder.appendingPathComponent("store.sqlite").path
        let isNew = !FileManager.default.fileExists(atPath: file)
        let store = try Store(folder: folder, creates: true)
        let identity = try store.identity()
        let what = isNew ? "made the store" : "there is a store already:"
        try Output.write(Output.line("\(what) \(store.folder.path) (\(identity.prefix(8)))"))
    }

    private func restore(_ folder: URL) async throws {
        guard !ServerLock.isHeld(folder) else {
            throw CommandError(
                "a server runs on the store \(folder.path)", hint: "stop it first; nothing was changed",
                exitCode: SystemExit.temporary
            )
        }
        let restoration = try await Store.restore(folder: folder, by: .thisProcess())
        let rows = restoration.firstRow.map { ", from row #\($0)" } ?? ""
        let published = "\(restoration.statuses) statuses and \(restoration.resources) resources are published again"
        try Output.write(Output.line("\(folder.path): \(published)\(rows)"))
        Output.writeError("what was published after the backup is lost: compare with what you remember, and publish it again")
    }
}
