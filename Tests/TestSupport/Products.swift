public import Foundation

/// The checkout that contains the tests.
public let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The programs that this package builds.
public enum Products {
    /// The path of a program next to the running tests, such as `bellerophon` or `Notes`. A path stays as it is.
    /// - Throws: ``TestError`` with the build command if the program was not built.
    public static func path(_ name: String) throws -> String {
        guard !name.contains("/") else { return name }
        let folder = try folder()
        let path = folder.appendingPathComponent(name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw TestError("\(name) is not in \(folder.path): run `make build-tests` first")
        }
        return path
    }

    /// The folder of the running tests, with everything that the build has made.
    public static func folder() throws -> URL {
        guard let folder = Platform.productsFolder else { throw TestError("the folder of the running tests is unknown") }
        return folder
    }

    /// The path of a program on `PATH`.
    public static func find(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
