#if os(Linux)
import Foundation

/// What a flood took and nobody holds any longer.
enum FreedMemory {
    /// Gives whole free pages of the heap back to the system; takes some milliseconds.
    ///
    /// The GNU C library keeps what was freed between two blocks that are in use (malloc_trim(3)): each flood that was
    /// larger than those before would leave the program larger for good. Another C library has no such call, and needs none.
    static func giveBack() {
        typealias Trim = @convention(c) (Int) -> CInt
        guard let trim = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(trim, to: Trim.self)(0)
    }
}
#endif
