#if os(Linux)
import Foundation

extension OwnExecutable {
    /// A path to the file that this process runs. It leads there also after the file was deleted or replaced.
    package static var actual: String { "/proc/self/exe" }

    /// Whether a process runs the same file as this one.
    package static func isRun(by process: Int32) -> Bool {
        isSameFile(actual, "/proc/\(process)/exe")
    }

    /// The arguments with which this process was started, unchanged. A program that was given to the dynamic loader has the
    /// loader's arguments in front, as the executable is then the loader.
    package static var arguments: [[UInt8]] {
        let data = FileManager.default.contents(atPath: "/proc/self/cmdline") ?? Data()
        let words = data.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Array($0) }
        return words.isEmpty ? ownArguments : words
    }
}
#endif
