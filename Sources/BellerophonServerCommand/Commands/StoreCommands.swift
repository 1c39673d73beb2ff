#if Server
import ArgumentParser
import BellerophonStore
import Foundation

/// `bellerophon-server store`: prepares a store that several servers share.
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Prepare a store in PostgreSQL, which several servers share.",
        subcommands: [Migrate.self]
    )

    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Make the tables of a store in PostgreSQL, or bring them to the format of this version.",
            discussion: """
                Run it once before the first server starts, and again after an update that says so. Servers of the older \
                version stop publishing then, and go on serving. A store of a newer version is not changed.

                EXAMPLES
                  bellerophon-server store migrate --store postgresql://db.example.com/bellerophon
                """
        )

        @OptionGroup var storing: StoreOptions

        func run() async throws {
            try await reportingFailures {
                guard case .shared(let address, _) = try storing.location() else {
                    throw CommandError(
                        "the store is a folder, which needs no migration by hand",
                        hint: "name a database: --store postgresql://HOST/DATABASE", exitCode: SystemExit.usage)
                }
                let former = try StoreLocation.migrate(address)
                let what = former == 0 ? "made the tables" : "the tables had the format \(former)"
                try Output.write(Output.line("\(what); they have the format \(StoreLocation.sharedFormat)"))
            }
        }
    }
}
#endif
