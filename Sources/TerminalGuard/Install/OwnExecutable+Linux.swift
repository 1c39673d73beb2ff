#if os(Linux)
extension OwnExecutable {
    /// A path to the file that this process runs. It leads there also after the file was deleted or replaced.
    static var actual: String { "/proc/self/exe" }
}
#endif
