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

    /// Why the tests run without PostgreSQL; nil if they run with it.
    static var problem: String? {
        #if Postgres
        PostgresServer.isInstalled ? nil : "PostgreSQL is not installed"
        #else
        "built without the trait Postgres"
        #endif
    }
}

/// Runs every test of a suite on each engine. The tests are the contract of a store, wherever it is.
struct EngineTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        guard testCase != nil, Engine.problem == nil else { return }
        try await Engine.$present.withValue(.postgres) { try await function() }
    }
}

/// The suites with this trait pass without PostgreSQL. This one is skipped then, and says that they ran in a folder only.
@Suite(
    "The contract of a store in PostgreSQL",
    .enabled(if: Engine.problem == nil, "the tests of a store ran in a folder only: \(Engine.problem ?? "")"))
struct EngineTests {
    @Test("Each test of the contract runs in a folder and in PostgreSQL")
    func contractRunsOnBothEngines() async throws {
        let (test, engines) = (try #require(Test.current), Watched<[Bool]>([]))
        try await EngineTrait().provideScope(for: test, testCase: Test.Case.current) {
            let isShared = try await StoreUnderTest().store.isShared
            engines.update { $0.append(isShared) }
        }
        #expect(engines.value == [false, true])
    }
}

extension Trait where Self == EngineTrait {
    /// Runs the tests with a store in a folder, and in PostgreSQL where it is installed.
    static var onEveryEngine: Self { EngineTrait() }
}
