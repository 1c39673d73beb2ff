import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("The place of a control group")
struct ControlGroupPlaceTests {
    private static let unified = "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
    private static let hybrid = """
        31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
        34 31 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
        41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
        """

    @Test func aUnifiedHierarchyHasTheGroupBelowItsMount() {
        let cgroup = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/shell.scope\n"
        #expect(
            ControlGroupPlace.folder(cgroup: cgroup, mounts: Self.unified)
                == "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/shell.scope")
    }

    @Test func aHybridHierarchyIsFoundBesideVersion1() {
        let cgroup = "8:memory:/process\n1:cpu:/\n0::/\n"
        #expect(ControlGroupPlace.folder(cgroup: cgroup, mounts: Self.hybrid) == "/sys/fs/cgroup/unified")
    }

    @Test func aMountMayShowAPartOfTheHierarchy() {
        let mounts = "40 30 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n"
        #expect(ControlGroupPlace.folder(cgroup: "0::/docker/abc/x\n", mounts: mounts) == "/sys/fs/cgroup/x")
        #expect(ControlGroupPlace.folder(cgroup: "0::/docker/abcd\n", mounts: mounts) == nil)
    }

    @Test func aMountPointMayContainSpaces() {
        let mounts = "40 30 0:26 / /mnt/my\\040groups rw - cgroup2 cgroup rw\n"
        #expect(ControlGroupPlace.folder(cgroup: "0::/a\n", mounts: mounts) == "/mnt/my groups/a")
    }

    @Test(
        "No folder is returned for a control group that is not visible",
        arguments: [
            ("1:cpu:/\n", unified), ("0::/a\n", "34 31 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"),
            ("0::/../other\n", unified), ("0::/a (deleted)\n", unified), ("", ""), ("0::/a\n", "garbage\n- - -\n"),
        ])
    func invisibleGroupHasNoFolder(cgroup: String, mounts: String) {
        #expect(ControlGroupPlace.folder(cgroup: cgroup, mounts: mounts) == nil)
    }
}

@Suite(
    "A control group", .enabled(if: TreeUnderTest.Mechanism.hasControlGroups, "no control groups are delegated to this user"))
struct ControlGroupTests {
    @Test func aGroupIsEmptyAtFirstAndCanBeRemoved() throws {
        let group = try #require(ControlGroup.make())
        #expect(group.members() == [])
        #expect(!group.isFrozen)
        #expect(group.remove())
        #expect(!FileManager.default.fileExists(atPath: group.path))
    }

    @Test func twoGroupsOfOneProcessAreDifferent() throws {
        let one = try #require(ControlGroup.make()), other = try #require(ControlGroup.make())
        #expect(one.path != other.path)
        #expect(one.remove())
        #expect(other.remove())
    }

    @Test("Control groups of ended guards are removed, and a living guard's group stays")
    func staleGroupsAreRemoved() throws {
        let parent = try #require(ControlGroup.ownFolder)
        let living = try #require(ControlGroup.make())
        // No process has this number, and this process has started at another time.
        let gone = ["bellerophon-guard-99999999-1-0", "bellerophon-guard-\(getpid())-1-0"].map { "\(parent)/\($0)" }
        for path in gone { try #require(mkdir(path, 0o755) == 0) }
        try #require(mkdir("\(gone[0])/below", 0o755) == 0)
        ControlGroup.removeLeftovers(in: parent)
        for path in gone { #expect(!FileManager.default.fileExists(atPath: path)) }
        #expect(FileManager.default.fileExists(atPath: living.path))
        #expect(living.remove())
    }

    @Test func aFolderThatIsNoGroupIsNotUsed() throws {
        let folder = try TestFolder()
        #expect(ControlGroup.make(in: folder.url.path) == nil)
        #expect(ControlGroup.make(in: nil) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }
}
