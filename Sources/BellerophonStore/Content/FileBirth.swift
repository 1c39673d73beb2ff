import Foundation

/// Which file a name stands for: its number, and when it was made. A copy differs in both.
struct FileBirth: Codable, Equatable, Sendable {
    let number: UInt64
    /// In nanoseconds since 1970.
    let born: Int64

    /// Some file systems give a file another number after they were mounted again, so that the number alone says nothing.
    func isOther(than file: FileBirth) -> Bool { number != file.number && born != file.born }

    /// - Returns: nil if no file has that name, or if the system does not tell when it was made.
    init?(_ file: URL) {
        #if canImport(Darwin)
        var facts = stat()
        guard stat(file.path, &facts) == 0 else { return nil }
        number = UInt64(truncatingIfNeeded: facts.st_ino)
        born = Self.nanoseconds(Int64(facts.st_birthtimespec.tv_sec), Int64(facts.st_birthtimespec.tv_nsec))
        #else
        typealias Call = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer) -> Int32
        // Swift does not import statx(2), which glibc has since 2.28.
        guard let symbol = dlsym(nil, "statx") else { return nil }
        // The structure of linux/stat.h, which has 256 bytes on every machine.
        let facts = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 8)
        defer { facts.deallocate() }
        let (inode, birth): (UInt32, UInt32) = (0x100, 0x800)
        let result = unsafeBitCast(symbol, to: Call.self)(AT_FDCWD, file.path, 0, inode | birth, facts)
        let known = facts.load(as: UInt32.self)
        guard result == 0, known & inode != 0, known & birth != 0 else { return nil }
        number = facts.load(fromByteOffset: 32, as: UInt64.self)
        born = Self.nanoseconds(
            facts.load(fromByteOffset: 80, as: Int64.self), Int64(facts.load(fromByteOffset: 88, as: UInt32.self)))
        #endif
    }

    private static func nanoseconds(_ seconds: Int64, _ rest: Int64) -> Int64 { seconds &* 1_000_000_000 &+ rest }
}
