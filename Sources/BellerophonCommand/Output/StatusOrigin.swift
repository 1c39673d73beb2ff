import Bellerophon
import BellerophonBase
import Foundation
import ProgramKit

/// Where a command takes a status from: a file, standard input or a web address.
enum StatusOrigin {
    /// The bytes of a file, or of standard input for `-`.
    static func read(_ file: String) throws -> Data {
        guard file == "-" else { return try ConfigurationFile.read(file) }
        let limit = ConfigurationFile.sizeLimit
        let data = try FileHandle.standardInput.read(upToCount: limit + 1) ?? Data()
        guard data.count <= limit else { throw ConfigurationFile.tooLarge("standard input", limit: limit) }
        return data
    }

    /// The status of a file or an address, read as `check` reads it, and the configuration that was used for it.
    ///
    /// A file is verified if a key is given or if it looks signed. Its validity period does not count, because it is a copy.
    /// - Throws: why the flags or the configuration are wrong, or why the file can't be read.
    static func fetch(
        _ status: String, _ request: RequestOptions
    ) throws -> (result: Result<StatusReply, StatusError>, configuration: ProgramKit.Configuration) {
        if ["http://", "https://"].contains(where: { status.lowercased().hasPrefix($0) }) {
            let configuration = try request.resolve(status, of: "--status")
            guard let url = configuration.statusURL else { return (.failure(StatusError(.noStatus)), configuration) }
            return (StatusFetch.results(of: [configuration.source(at: url)])[0], configuration)
        }
        let data = try read(status)
        let configuration =
            request.trustKey.isEmpty && !looksSigned(data) ? ProgramKit.Configuration() : try request.resolve(nil, of: "")
        return (StatusReader(verifier: configuration.trust).decode(data, at: nil), configuration)
    }

    /// A compact JWS begins with `{"` in base64url.
    private static func looksSigned(_ data: Data) -> Bool { data.starts(with: Array("eyJ".utf8)) }
}
