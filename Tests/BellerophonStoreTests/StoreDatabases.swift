#if Postgres
import Foundation
import TestSupport

@testable import BellerophonStore

/// Databases with the tables of an empty store: copies of one that was made first.
///
/// It is unchecked because its queue guards what it changes.
final class StoreDatabases: @unchecked Sendable {
    private static let shared = StoreDatabases()
    private static let template = "template_of_stores"

    private let queue = DispatchQueue(label: "databases")
    private var connection: PostgresConnection?
    private var count = 0

    /// The address of a new database.
    static func make() async throws -> String {
        let server = try await PostgresServer.shared
        return try await withCheckedThrowingContinuation { continuation in
            shared.queue.async { continuation.resume(with: Result { try shared.makeNow(server) }) }
        }
    }

    private func makeNow(_ server: PostgresServer) throws -> String {
        let connection = try connection ?? connect(server)
        self.connection = connection
        count += 1
        let name = "store\(count)"
        try connection.execute("CREATE DATABASE \(name) TEMPLATE \(Self.template)")
        return server.address(of: name)
    }

    private func connect(_ server: PostgresServer) throws -> PostgresConnection {
        let connection = try PostgresConnection(server.address(of: "postgres"), limit: patience)
        try connection.execute("CREATE DATABASE \(Self.template)")
        _ = try PostgresJournal.migrate(server.address(of: Self.template))
        return connection
    }
}
#endif
