import BellerophonBase
import Foundation
import TestSupport
import Testing

@Suite struct FileLockTests {
    @Test func onlyOneHolderAtATime() throws {
        let folder = try TestFolder(), path = folder.path("lock")
        let first = try #require(try FileLock(path))
        #expect(try FileLock(path) == nil)
        #expect(try FileLock.wait(path, limit: .zero) == nil)
        withExtendedLifetime(first) {}
        #expect(try FileLock(path + "-other") != nil)
    }

    /// A child process has a copy of the descriptor until it starts its program.
    @Test("A released lock is free even if a copy of its descriptor is open")
    func releasedLockIgnoresCopies() throws {
        let folder = try TestFolder(), path = folder.path("lock")
        var lock = try FileLock(path)
        let copy = dup(try #require(lock).descriptor)
        defer { close(copy) }
        lock = nil
        #expect(try FileLock(path) != nil)
    }
}
