#if canImport(Darwin)
import Darwin

extension OwnExecutable {
    /// The path of the file that this process runs.
    package static var actual: String {
        var size: UInt32 = 0
        _ = _NSGetExecutablePath(nil, &size)
        var path = [CChar](repeating: 0, count: Int(size) + 1)
        guard _NSGetExecutablePath(&path, &size) == 0 else { return "" }
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a process runs the same file as this one. It is not asked here.
    package static func isRun(by process: Int32) -> Bool { true }

    /// The arguments with which this process was started, unchanged.
    package static var arguments: [[UInt8]] { ownArguments }
}
#endif
