#if os(Linux)
import Foundation

extension MachineFacts {
    static var productVersionOfThisSystem: String { "" }

    /// The path of the running executable, as the kernel knows it. After an update has removed the file, the kernel adds a remark.
    package static var executableOfThisProcess: String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let remark = " (deleted)"
        return path.hasSuffix(remark) ? String(path.dropLast(remark.count)) : path
    }
}
#endif
