/// How a program is installed on this machine.
package struct Installation: Equatable, Sendable {
    /// The fact `source`: `apt`, `pip`, `pipx`, `file`, the name of another source, or `unknown`.
    package var source: String
    /// The name of the package in the source; nil if the source has none, or if it was not found.
    package var package: String?
    /// The path that the program is started by, with its symbolic links.
    package var path: String
    /// The path of the program's file, without symbolic links.
    package var file: String
    /// Of `pip` and `pipx`: the interpreter of the environment that the package is installed in.
    package var interpreter: String?

    package init(source: String, package: String? = nil, path: String, file: String, interpreter: String? = nil) {
        (self.source, self.package, self.path, self.file, self.interpreter) = (source, package, path, file, interpreter)
    }
}
