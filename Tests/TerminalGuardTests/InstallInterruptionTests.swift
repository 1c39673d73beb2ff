import BellerophonBase
import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("Interrupted and concurrent guard installs")
struct InstallInterruptionTests {
    private let rig: InstallRig
    init() throws { rig = try InstallRig() }

    private static let records = "var/lib/bellerophon-guard"

    @Test("A first install that fails leaves nothing", arguments: ["full disk", "no status", "a file in the way", "no folder"])
    func aFailedInstallLeavesNothing(problem: String) throws {
        switch problem {
        case "a file in the way": try rig.write(rig.wrapperPath, "#!/bin/sh\n", mode: 0o755)
        case "no folder": try rig.writeProfile(wrapper: "usr/lib/psql")
        default: break
        }
        let before = try rig.allNames()
        let error = try rig.failure {
            let installer = problem == "full disk" ? rig.installerOnAFullDisk : rig.installer
            _ = try installer.install(
                rig.name, bellerophon: rig.bellerophon, statusProblem: problem == "no status" ? "no server" : nil)
        }
        #expect(error != nil)
        #expect(try rig.allNames() == before)
        let status = try rig.status()
        #expect(status.count == 1 && status[0].state != .installed)
    }

    @Test("A failed install leaves the records of other profiles")
    func aFailedInstallKeepsOtherRecords() throws {
        try rig.install()
        // The record of the second profile can't be written.
        try rig.makeFolder("\(Self.records)/.other.json.bellerophon-new/full")
        try rig.writeProfile("other", wrapper: "opt/bin/psql")
        let before = try rig.allNames()
        let error = try rig.failure { try rig.install("other") }
        #expect(error?.kind == .cantCreate)
        #expect(try rig.allNames() == before)
        #expect(try rig.state() == .installed)
    }

    @Test func aFailedRewriteKeepsTheOldWrapper() throws {
        try rig.install()
        let old = rig.text(rig.wrapperPath)
        try rig.write("opt/bin/psql", "#!/bin/sh\n", mode: 0o755)
        try rig.writeProfile(program: "opt/bin/psql")
        let failure = try rig.failure {
            _ = try rig.installerOnAFullDisk.install(rig.name, bellerophon: rig.bellerophon)
        }
        #expect(failure?.kind == .cantCreate)
        #expect(rig.text(rig.wrapperPath) == old)
        #expect(try rig.names(in: "usr/local/bin") == ["psql"])
        #expect(try rig.installer.uninstall(rig.name).removed.count == 1)
    }

    @Test func aFailedMoveKeepsTheOldWrapper() throws {
        try rig.install()
        try rig.writeProfile(wrapper: "opt/bin/psql")
        let failure = try rig.failure {
            _ = try rig.installerOnAFullDisk.install(rig.name, bellerophon: rig.bellerophon)
        }
        #expect(failure?.kind == .cantCreate)
        #expect(try rig.state() == .outdated("the wrapper is still at \(rig.path(rig.wrapperPath))"))
        #expect(try rig.installer.uninstall(rig.name).removed.map(\.text) == [rig.path(rig.wrapperPath)])
    }

    /// The state after a kill between two steps: a temporary file, and a record of a wrapper that was not written.
    @Test func anInstallAfterACrashSucceeds() throws {
        try rig.install()
        rig.remove(rig.wrapperPath)
        try rig.write("usr/local/bin/.psql.bellerophon-new", "half of a")
        #expect(try rig.install().result == .installed)
        #expect(GuardWrapper(parsing: rig.text(rig.wrapperPath) ?? "") != nil)
        #expect(try rig.names(in: "usr/local/bin") == ["psql"])
    }

    @Test func anUninstallRemovesWhatACrashHasLeft() throws {
        try rig.install()
        try rig.write("usr/local/bin/.psql.bellerophon-new", "half of a")
        _ = try rig.installer.uninstall(rig.name)
        #expect(try rig.names(in: "usr/local/bin") == [])
    }

    @Test func concurrentInstallsLeaveOneWholeFile() async throws {
        // The threads must not hold the rig: the last one could outlive the tests, and the folder would stay.
        let (installer, name, bellerophon) = (rig.installer, rig.name, try rig.bellerophon)
        let results = try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { try await onOwnThread { try installer.install(name, bellerophon: bellerophon).result } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count(where: { $0 == .installed }) == 1)
        #expect(results.count(where: { $0 == .alreadyInstalled }) == 7)
        #expect(GuardWrapper(parsing: rig.text(rig.wrapperPath) ?? "") != nil)
        #expect(try rig.names(in: "usr/local/bin") == ["psql"])
    }

    @Test("Concurrent installs and uninstalls leave either a complete wrapper or none")
    func concurrentUninstallIsAtomic() async throws {
        let (installer, name, bellerophon) = (rig.installer, rig.name, try rig.bellerophon)
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    try await onOwnThread {
                        for _ in 0..<10 {
                            if number.isMultiple(of: 2) {
                                _ = try installer.install(name, bellerophon: bellerophon)
                            } else {
                                _ = try installer.uninstall(name)
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let names = try rig.names(in: "usr/local/bin")
        #expect(names == [] || names == ["psql"])
        #expect(try rig.state() == (names.isEmpty ? .notInstalled : .installed))
    }

    @Test("An uninstall fails temporarily when another command holds the lock too long")
    func lockTimeoutFails() throws {
        try rig.install()
        let lock = try #require(try FileLock(rig.path("\(Self.records)/.lock")))
        var installer = rig.installer
        installer.patience = .zero
        let error = try #require(try rig.failure { _ = try installer.uninstall(rig.name) })
        withExtendedLifetime(lock) { #expect(error.kind == .temporary) }
        #expect(rig.text(rig.wrapperPath) != nil)
    }
}
