import Foundation

/// A file that can't be written, and the reason.
package struct OutputFileError: Error, Equatable, Sendable, CustomStringConvertible {
    package let path: String
    package let problem: String
    /// The system's error number; 0 if no system call failed.
    package let number: Int32

    package init(path: String, _ problem: String) {
        self.init(path: path, problem, number: 0)
    }

    private init(path: String, _ problem: String, number: Int32) {
        self.path = path
        self.problem = problem
        self.number = number
    }

    /// An error with the system's text for an `errno` value.
    package init(path: String, number: Int32) {
        self.init(path: path, "can't be written: \(String(cString: strerror(number)))", number: number)
    }

    package var description: String { "\(path): \(problem)" }
}

/// Files that the program writes for their owner only.
package enum OutputFile {
    /// Opens a file that child processes do not inherit.
    /// - Parameter flags: in addition to `O_CLOEXEC` and `O_NONBLOCK`. A created file gets mode 0600.
    package static func open(_ path: String, _ flags: Int32) throws(OutputFileError) -> Int32 {
        guard !path.isEmpty else { throw OutputFileError(path: "\"\"", "is no file name") }
        // Without O_NONBLOCK, opening a named pipe that has no reader would block the program.
        let descriptor = path.withCString { sys_open($0, flags | O_CLOEXEC | O_NONBLOCK, 0o600) }
        guard descriptor >= 0 else { throw OutputFileError(path: path, number: errno) }
        return descriptor
    }

    /// Creates a file with the given text.
    /// - Returns: false if a file of that name exists.
    package static func create(_ path: String, _ text: String) throws(OutputFileError) -> Bool {
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

    /// Writes all bytes; on failure returns false with `errno` set.
    package static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
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

    /// The metadata of a file, following links; nil if it can't be read.
    package static func facts(_ path: String) -> stat? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts : nil
    }
}

extension stat {
    package var isRegularFile: Bool { st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) }
}

/// The variadic `open` under a name that no method shadows.
private func sys_open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
