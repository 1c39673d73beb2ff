import Foundation
import TestSupport

/// The files of the checkout that contains the tests.
enum Repository {
    static let root = repository

    /// The folders of the product's modules, by module name.
    static let modules: [String: URL] = {
        var modules: [String: URL] = [:]
        let sources = root.appendingPathComponent("Sources")
        for name in (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? [] where !name.hasPrefix(".") {
            modules[name] = sources.appendingPathComponent(name)
        }
        return modules
    }()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The files below a folder whose names end with the suffix; symbolic links are not followed.
    static func files(in folder: URL, ending suffix: String) throws -> [URL] {
        guard let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        else {
            throw TestError("can't list \(folder.path)")
        }
        return found.compactMap { $0 as? URL }.filter { $0.lastPathComponent.hasSuffix(suffix) }
    }
}
