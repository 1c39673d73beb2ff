import BellerophonBase
internal import CPty
import Foundation
import Synchronization

/// A control group (version 2 of Linux) for the processes of one guarded program, below the group of this process.
///
/// It exists only where the system has delegated the hierarchy to this user: below the service manager of a user, in a unit with
/// `Delegate=`, or for root. It is used by one thread.
///
/// Groups that the program makes itself are below this one, and are frozen and killed with it.
package final class ControlGroup: TreeGroup {
    /// Its folder.
    package let path: String
    /// An open descriptor of its folder, closed on exec. A process enters the group when it writes "0" to the file
    /// `cgroup.procs` there.
    package let descriptor: Int32

    /// The beginning of the name. The process identifier and the start time of the guard follow.
    static let prefix = "bellerophon-guard-"
    private static let levelLimit = 32
    /// How many groups this process has made.
    private static let count = Atomic(0)

    /// Makes a group, after the groups of guards that have ended were removed.
    /// - Parameter parent: the folder of the group of this process.
    /// - Returns: nil if the system does not allow it, or the kernel can't freeze groups.
    package static func make(in parent: String? = ownFolder) -> ControlGroup? {
        var own = cpty_process()
        guard let parent, cpty_get_process(getpid(), &own) == 0 else { return nil }
        removeLeftovers(in: parent)
        // A process that changes its group needs write access to this file of the group above both.
        guard canWrite("\(parent)/cgroup.procs") else { return nil }
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let path = "\(parent)/\(prefix)\(own.pid)-\(own.start)-\(number)"
        return mkdir(path, 0o755) == 0 ? ControlGroup(path) : nil
    }

    /// The folder of the control group of this process.
    package static var ownFolder: String? {
        guard let cgroup = read("/proc/self/cgroup"), let mounts = read("/proc/self/mountinfo") else { return nil }
        return ControlGroupPlace.folder(cgroup: cgroup, mounts: mounts)
    }

    private init?(_ path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, isUsable else {
            remove()
            return nil
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether a process may enter the empty group, and freezing it has an effect.
    private var isUsable: Bool {
        guard Self.canWrite("\(path)/cgroup.procs"), Self.read("\(path)/cgroup.type") == "domain\n", freeze(), isFrozen else {
            return false
        }
        thaw()
        return !isFrozen
    }

    // MARK: Processes

    /// The processes of the group and of the groups below it. Ended ones are not among them.
    package func members() -> [Int32] {
        Self.groups(path).flatMap { folder in
            (Self.read("\(folder)/cgroup.procs") ?? "").split(separator: "\n").compactMap { Int32($0) }.filter { $0 > 0 }
        }
    }

    /// Whether a process is in the group with this folder itself. Those in groups below it don't count.
    static func hasMembers(_ path: String) -> Bool { read("\(path)/cgroup.procs").map { !$0.isEmpty } ?? false }

    /// Starts to freeze all processes of the group. They are frozen when `isFrozen` says so. A frozen process does not notice
    /// it, takes no signal but SIGKILL, and is not stopped in the sense of job control.
    /// - Returns: whether the kernel has accepted it.
    package func freeze() -> Bool { cpty_write_file(descriptor, "cgroup.freeze", "1") == 0 }

    var neighbours: Int {
        let parent = (path as NSString).deletingLastPathComponent
        return Self.folders(parent).count { $0.hasPrefix(Self.prefix) } - 1
    }

    package func thaw() { _ = cpty_write_file(descriptor, "cgroup.freeze", "0") }

    /// Whether all processes of the group are frozen. One in an uninterruptible call delays it.
    package var isFrozen: Bool {
        Self.read("\(path)/cgroup.events")?.split(separator: "\n").contains("frozen 1") ?? false
    }

    /// Kills all processes of the group at once, also frozen ones, before they can start others.
    /// - Returns: false if the kernel can't: before version 5.14.
    package func kill() -> Bool { cpty_write_file(descriptor, "cgroup.kill", "1") == 0 }

    // MARK: The end

    /// Removes the group and the empty groups below it.
    /// - Returns: false while a process is left in it. A killed process stays for a moment.
    @discardableResult
    package func remove() -> Bool { Self.remove(path) }

    private static func remove(_ path: String) -> Bool {
        for folder in groups(path).reversed() where rmdir(folder) != 0 && errno != ENOENT { return false }
        return true
    }

    /// Removes the empty groups of guards that have ended.
    static func removeLeftovers(in parent: String) {
        for name in folders(parent) where name.hasPrefix(prefix) {
            let numbers = name.dropFirst(prefix.count).split(separator: "-").compactMap { UInt64($0) }
            guard numbers.count == 3, let pid = Int32(exactly: numbers[0]) else { continue }
            var found = cpty_process()
            let error = cpty_get_process(pid, &found)
            let hasEnded = error == -ESRCH || error == 0 && found.start != numbers[1]
            if hasEnded { _ = remove("\(parent)/\(name)") }
        }
    }

    // MARK: Files

    /// A group and all groups below it, each before those below it.
    private static func groups(_ path: String, depth: Int = 0) -> [String] {
        guard depth < levelLimit else { return [path] }
        return [path] + folders(path).flatMap { groups("\(path)/\($0)", depth: depth + 1) }
    }

    private static func folders(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            guard entry.pointee.d_type == UInt8(DT_DIR) else { continue }
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func canWrite(_ path: String) -> Bool { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }

    private static func read(_ path: String) -> String? {
        (try? OpenFile(path).start(limit: 16 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
}
