import Bellerophon
import Foundation
import TestSupport
import Testing

@testable import ProgramUpdates

@Suite("The lock of an update")
struct UpdateLockTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func lock(_ file: String = "/usr/bin/notes") -> UpdateLock {
        UpdateLock(file: file, environment: folder.environment())
    }

    @Test func oneSessionAtATimeUpdates() {
        let (one, other) = (lock(), lock())
        #expect(one.tryLock() == .taken)
        #expect(one.tryLock() == .taken, "it has the lock")
        #expect(other.tryLock() == .held(by: getpid()))
        #expect(lock("/usr/bin/other").tryLock() == .taken, "another program")
        one.release()
        #expect(other.tryLock() == .taken)
        #expect(one.tryLock() == .held(by: getpid()))
    }

    @Test func theEndOfTheObjectReleasesIt() {
        var one: UpdateLock? = lock()
        #expect(one?.tryLock() == .taken)
        one = nil
        #expect(lock().tryLock() == .taken)
    }

    @Test(
        "A process that is killed leaves no lock",
        // util-linux has the command; other systems do not.
        .enabled(if: access("/usr/bin/flock", X_OK) == 0))
    func killed() async throws {
        let one = lock()
        #expect(one.tryLock() == .taken)
        one.release()
        let script = #"exec 9>>"$1"; /usr/bin/flock -n 9 && echo 4711 >"$1" && kill -9 $$"#
        let result = try await runCommand("/bin/sh", ["-c", script, "sh", one.path], home: folder)
        #expect(result.status == .signalled(SIGKILL))
        #expect(folder.text("state/bellerophon/\((one.path as NSString).lastPathComponent)") == "4711")
        #expect(one.tryLock() == .taken)
    }

    @Test func onlyThisUserCanReadIt() throws {
        let one = lock()
        #expect(one.tryLock() == .taken)
        var facts = stat()
        #expect(stat(one.path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        #expect(stat(folder.path("state/bellerophon"), &facts) == 0 && facts.st_mode & 0o777 == 0o700)
    }

    @Test func noLinkIsFollowed() throws {
        let one = lock()
        let target = try folder.write("text", to: "target")
        try FileManager.default.createDirectory(atPath: folder.path("state/bellerophon"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: one.path, withDestinationPath: target)
        expectUnavailable(one)
        #expect(folder.text("target") == "text")
    }

    @Test func aFolderThatIsALinkIsNotUsed() throws {
        try FileManager.default.createDirectory(atPath: folder.path("state"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path("elsewhere"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("state/bellerophon"), withDestinationPath: folder.path("elsewhere"))
        expectUnavailable(lock())
    }

    @Test func withoutAFolderThereIsNoLock() throws {
        try folder.write("", to: "state")
        expectUnavailable(lock())
    }

    private func expectUnavailable(_ lock: UpdateLock) {
        guard case .unavailable(let remark) = lock.tryLock() else {
            Issue.record("there is a lock")
            return
        }
        #expect(remark.english.hasPrefix("no lock: "))
    }
}
