import Foundation
import Synchronization

/// A PostgreSQL server of this test run, on a socket in a temporary folder, for everybody who needs databases.
///
/// A shell beside it ends it when the test run has ended for any reason. PostgreSQL refuses to run as root; it then runs as the
/// user that Debian's package creates.
public final class PostgresServer: Sendable {
    /// Whether PostgreSQL is installed.
    public static var isInstalled: Bool { tools != nil }

    /// Starts the server at the first call, on which a thread waits that runs no tasks.
    public static var shared: PostgresServer {
        get async throws { try await onOwnThread { try started.get() } }
    }

    private static let started = Result { try PostgresServer() }

    /// A server for one test that changes its settings. It ends with the object.
    public static func start() async throws -> PostgresServer { try await onOwnThread { try PostgresServer() } }

    private let folder: TestFolder
    private let tools: String
    private let count = Atomic<Int>(0)
    private let watcher: RunningProgram

    /// The folder of the server's programs.
    private static let tools: String? = {
        let base = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
        let folders = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }.map { "\(base)/\($0)/bin" }
        return folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    private init() throws {
        guard let tools = Self.tools else { throw TestError("PostgreSQL is not installed") }
        folder = try TestFolder()
        self.tools = tools
        let path = folder.url.path
        let user = geteuid() == 0 ? "runuser -u postgres --" : ""
        // Durability is not what these tests are about, except those that end a server of their own.
        let script = """
            set -e
            cd '\(path)'
            [ "$(id -u)" -ne 0 ] || chown postgres '\(path)'
            chmod 711 '\(path)'
            \(user) '\(tools)/initdb' -D '\(path)/data' -A trust -U test -E UTF8 --no-locale -N >/dev/null
            \(user) '\(tools)/postgres' -D '\(path)/data' -k '\(path)' -c listen_addresses= -c fsync=off \
                -c full_page_writes=off -c max_wal_size=64MB -c autovacuum=off -c max_connections=300 -c shared_buffers=32MB \
                -c unix_socket_permissions=0777 &
            server=$!
            while kill -0 \(getpid()) 2>/dev/null; do sleep 1; done
            kill -INT "$(head -n 1 data/postmaster.pid)"
            wait $server || true
            rm -rf '\(path)'
            """
        watcher = try RunningProgram("/bin/sh", ["-c", script], home: folder)
        _ = try watcher.wait(for: "server") { $0.contains("ready to accept connections") ? () : nil }
    }

    /// The address of a new, empty database.
    public static func makeDatabase() async throws -> String {
        let server = try await shared
        let name = "test\(server.count.add(1, ordering: .relaxed).newValue)"
        let made = try await runCommand("\(server.tools)/createdb", ["-h", server.folder.url.path, "-U", "test", name])
        guard made.status == .exited(0) else { throw TestError("no database", detail: made.standardError) }
        return server.address(of: name)
    }

    /// The address of a database of this server; `postgres` is always there.
    public func address(of database: String) -> String { "postgresql://test@/\(database)?host=\(folder.url.path)" }
}
