import ArgumentParser
import BellerophonServer
import BellerophonStore
import Foundation

/// `bellerophon-server store`: prepares a store that several servers share, and moves one between a folder and a database.
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Prepare a store in PostgreSQL, which several servers share; look at the clocks of a store.",
        subcommands: [Migrate.self, Copy.self, Clock.self]
    )

    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Make the tables of a store in PostgreSQL.",
            discussion: """
                Run it once before the first server starts. Tables that are there stay as they are. A store of a newer version \
                is refused.

                EXAMPLES
                  bellerophon-server store migrate --store postgresql://db.example.com/bellerophon
                """
        )

        @OptionGroup var storing: StoreOptions

        func run() async throws {
            guard case .shared(let address, _, _) = try storing.location() else {
                throw CommandError(
                    "the store is a folder, which needs no migration by hand",
                    hint: "name a database: --store postgresql://HOST/DATABASE", exitCode: SystemExit.usage)
            }
            let areNew = try await StoreLocation.migrate(address)
            try Output.write(Output.line(areNew ? "made the tables" : "the tables are there already"))
        }
    }

    struct Clock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clock",
            abstract: "Show whether the clocks of a store agree, so that timed statuses end.",
            discussion: """
                A store in a folder compares the clock of its machine with the time that has passed since the machine's start. \
                If the clock was set, no timed status ends, and none with --for can be published. Set the clock right, or, if it \
                is right now and was wrong before, say so with --accept; a running server follows within a second. The time of \
                a store in PostgreSQL is that of the database.
                """
        )

        @Flag(help: "Take the clock of this machine as right. Timed statuses whose time is over by it end.")
        var accept = false
        @OptionGroup var storing: StoreOptions

        func run() async throws {
            let store = try await storing.open()
            if accept {
                guard store.keepsClock else {
                    throw CommandError(
                        "the run of the machine is not known, so that no other process would follow",
                        hint:
                            "make /proc/sys/kernel/random/boot_id readable, or set \(StoreClock.bootVariable) here and for the server; "
                            + "nothing was changed", exitCode: SystemExit.configuration)
                }
                try await store.acceptClock()
            }
            let time = TimeText.text(store.now)
            guard let problem = store.clockProblem else { return try Output.write("it is \(time), and the clocks agree") }
            throw CommandError("it is \(time), but \(problem.text)", exitCode: 1)
        }
    }

    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "copy",
            abstract: "Copy a store from a folder to PostgreSQL, or back.",
            discussion: """
                The copy has the journal, the resources, the tokens and the identity of the store, and is compared with it. Stop \
                the servers before: what is published meanwhile would not be in the copy. A database must have the tables of an \
                empty store, which `store migrate` makes; a folder must not be there yet. The source is not changed.

                EXAMPLES
                  bellerophon-server store copy --from /var/lib/bellerophon --to postgresql://db.example.com/bellerophon
                  bellerophon-server store copy --from postgresql://db.example.com/bellerophon --to /var/lib/bellerophon
                """
        )

        @Option(help: ArgumentHelp("The folder or the database to copy.", valueName: "store"), completion: .directory)
        var from: String

        @Option(
            help: ArgumentHelp("The new folder, or the database that gets the copy.", valueName: "store"), completion: .directory)
        var to: String

        @Option(
            help: ArgumentHelp(
                "The folder in which the servers of that database share the bytes of resources.", valueName: "folder"),
            completion: .directory)
        var content: String?

        func run() async throws {
            let (source, target) = (location(from), location(to))
            if case .folder(let folder) = source, ServerLock.isHeld(folder) {
                throw CommandError(
                    "a server runs on the store \(folder.path)", hint: "stop it before; nothing was copied",
                    exitCode: SystemExit.temporary)
            }
            let report = try await StoreLocation.copy(from: source, to: target)
            let head = report.head.map { "; the last row has the digest \($0.prefix(16))" } ?? ""
            try Output.write(Output.line("copied \(report.rows) rows and \(report.files) files\(head)"))
        }

        private func location(_ text: String) -> StoreLocation {
            // The folder of a copy is not used: the database is read and written as a whole.
            StoreLocation(
                text, copy: FileManager.default.temporaryDirectory,
                content: content.map { URL(fileURLWithPath: $0, isDirectory: true) })
        }
    }
}
