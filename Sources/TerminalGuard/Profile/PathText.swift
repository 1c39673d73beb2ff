/// Functions on the text of a path. They work on bytes: a slash with a combining mark after it is one character of a string,
/// and still separates two parts for the system.
enum PathText {
    /// The parts of a path that are not empty.
    static func parts(of path: String) -> [String] { path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) } }

    /// A folder's path and a path below it.
    static func join(_ folder: String, _ name: String) -> String {
        folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
    }

    /// The folder and the name of an absolute path; the name of the top folder is empty.
    static func split(_ path: String) -> (folder: String, name: String) {
        let parts = parts(of: path)
        return ("/" + parts.dropLast().joined(separator: "/"), parts.last ?? "")
    }
}
