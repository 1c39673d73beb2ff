import Foundation

/// A file that can't be written: which, and why.
package struct OutputFileError: Error, Equatable, Sendable, CustomStringConvertible {
    package let path: String
    package let problem: String
    /// The system's error number; 0 where it was not asked.
    let number: Int32

    package init(path: String, _ problem: String) {
        self.init(path: path, problem, number: 0)
    }

    private init(path: String, _ problem: String, number: Int32) {
        self.path = path
        self.problem = problem
        self.number = number
    }

    /// The present `errno` in words.
    init(path: String, number: Int32) {
        self.init(path: path, "can't be written: \(String(cString: strerror(number)))", number: number)
    }

    package var description: String { "\(path): \(problem)" }
}

/// Files that programs of ours write for their owner only.
enum OutputFile {
    /// Opens a file; a child program does not inherit it.
    /// - Parameter flags: beside `O_CLOEXEC`. A file that is made gets mode 0600.
    static func open(_ path: String, _ flags: Int32) throws(OutputFileError) -> Int32 {
        guard !path.isEmpty else { throw OutputFileError(path: "\"\"", "is no file name") }
        // Without O_NONBLOCK a named pipe that nobody reads would hold the program at its start.
        let descriptor = path.withCString { sys_open($0, flags | O_CLOEXEC | O_NONBLOCK, 0o600) }
        guard descriptor >= 0 else { throw OutputFileError(path: path, number: errno) }
        return descriptor
    }

    /// Makes a new file with that content.
    /// - Returns: false where there is a file of that name.
    static func create(_ path: String, _ text: String) throws(OutputFileError) -> Bool {
        let descriptor: Int32
        do {
            descriptor = try open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        } catch {
            if error.number == EEXIST { return false }
            throw error
        }
        defer { close(descriptor) }
        guard writeAll(descriptor, Array(text.utf8)) else {
            let error = OutputFileError(path: path, number: errno)
            unlink(path)
            throw error
        }
        return true
    }

    /// Writes all bytes; false with `errno` set where that fails.
    static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// What kind of thing has that name; nil where nothing has. Links are followed.
    static func facts(_ path: String) -> stat? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts : nil
    }
}

extension stat {
    var isRegularFile: Bool { st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) }
}

/// The variadic `open` under a name that no method hides.
private func sys_open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
