import BellerophonBase
import Foundation

/// The free space of a folder's disk.
struct DiskSpace: Sendable {
    /// Bytes that uploads leave free for the journal.
    static let floor: Int64 = 64 << 20

    let folder: URL
    /// The number of free bytes for this user; nil if the system does not provide it. Tests replace it.
    let free: @Sendable () -> Int64?

    init(_ folder: URL, free: (@Sendable () -> Int64?)? = nil) {
        (self.folder, self.free) = (folder, free ?? { Self.free(folder) })
    }

    private static func free(_ folder: URL) -> Int64? {
        var facts = statvfs()
        guard statvfs(folder.path, &facts) == 0 else { return nil }
        let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    /// Whether less than 256 KiB is free, which SQLite needs to open a store.
    var isFull: Bool { free().map { $0 < 256 << 10 } ?? false }

    /// - Throws: ``StoreError`` of kind `full` if less than ``floor`` would remain after this number of bytes of a resource.
    func require(_ bytes: Int64) throws(StoreError) {
        guard let free = free(), free < Self.floor || free - Self.floor < bytes else { return }
        throw StoreError(
            .full,
            "the disk that holds \(folder.path) has \(free >> 20) MiB free, and \(Self.floor >> 20) MiB stay free for statuses",
            hint: "make room, for example with `bellerophon-server resource prune`; nothing was published"
        )
    }
}

/// A file that only occupies space. It is removed when the disk is full, so that a status can still be published.
struct DiskReserve: Sendable {
    /// In bytes. A published status needs some tens of kilobytes at most.
    static let size: Int64 = 8 << 20
    static let fileName = "reserve"
    let folder: URL

    private var file: URL { folder.appendingPathComponent(Self.fileName) }

    /// Creates the file unless it exists or too little space is free.
    func create() {
        guard ContentFolder.size(of: file) != Self.size, let free = DiskSpace(folder).free(), free > 4 * Self.size else { return }
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if !Self.allocate(descriptor, Self.size) { unlink(file.path) }
    }

    /// Makes sure that a status can be written: by the reserve, which is made again if there is room, or by a small file.
    /// - Throws: ``StoreError`` of kind `full` if the disk has no room even for the small file.
    func requireRoom() throws(StoreError) {
        create()
        guard ContentFolder.size(of: file) != Self.size else { return }
        let trial = folder.appendingPathComponent("incoming", isDirectory: true).appendingPathComponent(UUID().uuidString).path
        try StoreError.onDisk { () throws(FileError) in
            let descriptor = try FileCalls.open(trial, O_WRONLY | O_CREAT | O_EXCL)
            defer { close(descriptor) }
            // Nothing is left over if this process is killed.
            unlink(trial)
            try FileCalls.write(Data(repeating: 0x5a, count: Self.trialSize), to: descriptor, path: trial)
            try FileCalls.synchronize(descriptor, path: trial)
        }
    }

    /// In bytes, more than a status needs.
    private static let trialSize = 128 << 10

    /// Removes the file.
    /// - Returns: whether there was one.
    func release() -> Bool {
        unlink(file.path) == 0
    }

    private static func allocate(_ descriptor: Int32, _ size: Int64) -> Bool {
        #if canImport(Darwin)
        // No system call is certain to allocate space there, so that zeros are written.
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<(size >> 20) where write(descriptor, zeros, zeros.count) != zeros.count { return false }
        return true
        #else
        return posix_fallocate(descriptor, 0, off_t(size)) == 0
        #endif
    }
}
