#if Server
import BellerophonStore
import TestSupport
import Testing

/// Where a store of a test is.
enum Engine: Sendable {
    /// In a folder of this machine.
    case folder
    /// In PostgreSQL; two servers share it.
    case postgres

    @TaskLocal static var present = Engine.folder
}

/// Runs every test of a suite on each engine. The tests are the contract of a store, wherever it is.
struct EngineTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        #if Postgres
        guard testCase != nil, PostgresServer.shared != nil else { return }
        try await Engine.$present.withValue(.postgres) { try await function() }
        #endif
    }
}

extension Trait where Self == EngineTrait {
    /// Runs the tests with a store in a folder, and in PostgreSQL where it is installed.
    static var onEveryEngine: Self { EngineTrait() }
}
#endif
