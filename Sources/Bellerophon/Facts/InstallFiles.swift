import BellerophonBase
import Foundation

/// What is read of a file system to find out how a program was installed. Tests give recorded layouts.
package protocol InstallFiles: Sendable {
    /// The path without symbolic links; nil if it leads to nothing.
    func realPath(_ path: String) -> String?
    /// Whether the path leads to a regular file.
    func isFile(_ path: String) -> Bool
    /// Whether this user may execute the file.
    func isExecutable(_ path: String) -> Bool
    /// The first bytes of a regular file; nil if there is none that can be read.
    /// - Parameter limit: the most bytes.
    func bytes(of path: String, limit: Int) -> [UInt8]?
    /// The names in a folder, in any order; nil if it can't be read.
    /// - Parameter limit: the most names.
    func names(in folder: String, limit: Int) -> [String]?
}

extension InstallFiles {
    /// The first bytes of a file as text.
    package func text(of path: String, limit: Int) -> String? {
        bytes(of: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The files of this machine.
package struct SystemFiles: InstallFiles {
    package init() {}

    package func realPath(_ path: String) -> String? {
        guard let place = realpath(path, nil) else { return nil }
        defer { free(place) }
        return String(validatingCString: place)
    }

    package func isFile(_ path: String) -> Bool {
        FileFacts(path: path)?.isRegularFile ?? false
    }

    package func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

    package func bytes(of path: String, limit: Int) -> [UInt8]? {
        guard let file = try? OpenFile(path), file.facts.isRegularFile else { return nil }
        return try? file.start(limit: limit)
    }

    package func names(in folder: String, limit: Int) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
                    String(validatingCString: $0)
                }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
