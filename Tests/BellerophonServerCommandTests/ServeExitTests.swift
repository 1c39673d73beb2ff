import BellerophonServer
import BellerophonStore
import Foundation
import Testing

@testable import BellerophonServerCommand

/// The exit codes of `serve`: a supervisor restarts it after all but one.
@Suite struct ServeExitTests {
    @Test(
        "A system error maps to its exit code",
        arguments: [
            (EADDRINUSE, 75), (EWOULDBLOCK, 75), (EADDRNOTAVAIL, 71), (EMFILE, 71), (ENOSPC, 74), (EDQUOT, 74), (EIO, 74),
            (EACCES, 77),
            (EPERM, 77), (EROFS, 77),
        ] as [(Int32, Int32)])
    func systemErrorExitCode(number: Int32, code: Int32) {
        #expect(SystemExit.code(of: ServerError.Kind(errno: number)) == code)
    }

    @Test(
        "A store error maps to its exit code",
        arguments: [
            (.notAStore, 78), (.newerStore, 78), (.busy, 75), (.full, 74), (.failed, 74), (.damaged, 74), (.notPermitted, 77),
        ] as [(StoreError.Kind, Int32)])
    func storeErrorExitCode(kind: StoreError.Kind, code: Int32) {
        #expect(SystemExit.code(ofServing: kind) == code)
    }

    @Test func onlyWhatAPersonMustChangeIsNotTriedAgain() {
        #expect(ServerError.Kind.allCases.filter { SystemExit.code(of: $0) == 78 } == [.configuration])
        #expect(ServerError("a setting is wrong", hint: "change it").kind == .configuration)
    }
}
