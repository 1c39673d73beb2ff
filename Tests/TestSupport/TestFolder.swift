public import Foundation

/// A temporary home folder, removed when the object is released.
public final class TestFolder: Sendable {
    public let url: URL

    public init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(base)/bellerophon-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw TestError("no temporary folder in \(base)", detail: Descriptors.lastError)
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        url = URL(fileURLWithPath: path, isDirectory: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file, options: .atomic)
        return file.path
    }

    /// A file's text without surrounding white space; nil if there is no file.
    public func text(_ name: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path(name)) else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A minimal environment: a UTF-8 locale, and home and state folders in this folder.
    /// - Parameter changes: added variables; nil removes a variable.
    public func environment(_ changes: [String: String?] = [:]) -> [String: String] {
        var environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "LANG": Platform.locale,
            "TERM": Platform.terminal,
            "HOME": url.path,
            "TMPDIR": url.path,
            "XDG_CONFIG_HOME": path("config"),
            "XDG_STATE_HOME": path("state"),
            "XDG_CACHE_HOME": path("cache"),
        ]
        // Programs that were built with a sanitizer need its options.
        for name in ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        for (name, value) in changes { environment[name] = value }
        return environment
    }
}
