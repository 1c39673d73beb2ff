import Foundation
import Testing

/// What a program wrote to a terminal of 100 columns and 30 rows. `Recordings/README.md` says how each was made.
struct Recording: Sendable, CustomTestStringConvertible {
    static let columns = 100
    static let rows = 30

    let name: String
    let bytes: [UInt8]

    var testDescription: String { name }

    /// All files of the folder, by name.
    static let all: [Recording] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Recordings")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".bin") }.sorted().compactMap { name in
            let data = try? Data(contentsOf: folder.appendingPathComponent(name))
            return data.map { Recording(name: String(name.dropLast(4)), bytes: Array($0)) }
        }
    }()
}

extension [UInt8] {
    /// The bytes in pieces of this length.
    func chunks(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: Swift.min(size, Swift.max(count, 1))).map { Array(self[$0...].prefix(size)) }
    }
}
