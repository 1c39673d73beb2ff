import Foundation

/// Checks whether the disk has space for more of a resource.
struct UploadSpace: Sendable {
    /// Bytes that uploads leave free for the journal.
    static let floor: Int64 = 64 << 20

    let folder: URL
    /// The number of free bytes; nil if the system does not provide it.
    let free: @Sendable () -> Int64?

    /// - Throws: ``StoreError`` of kind `full` if less than ``floor`` would remain after this number of bytes.
    func require(_ bytes: Int64) throws(StoreError) {
        guard let free = free(), free < Self.floor || free - Self.floor < bytes else { return }
        throw StoreError(
            .full,
            "the disk that holds \(folder.path) has \(free >> 20) MiB free, and \(Self.floor >> 20) MiB stay free for statuses",
            hint: "make room, for example with `bellerophon-server resource prune`; nothing was published"
        )
    }
}
