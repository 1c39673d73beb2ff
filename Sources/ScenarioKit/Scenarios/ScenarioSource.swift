import Barricade
import Foundation
import ProgramKit
import ReadyScenarios

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A parsed scenario file, and the folder of the files with its bodies.
package struct ScenarioSource: Sendable {
    /// The file's name, as given.
    package let name: String
    package let file: ScenarioFile
    package let folder: URL?

    /// The largest accepted file in bytes: 16 MiB.
    package static let sizeLimit = 16 << 20

    package init(name: String, file: ScenarioFile, folder: URL? = nil) {
        self.name = name
        self.file = file
        self.folder = folder
    }

    /// Reads a scenario file.
    /// - Throws: a ``ConfigurationError`` if it can't be read; a `ScenarioFileError` with all its problems: line, path, and
    ///   what was expected.
    package init(path: String) throws {
        let data = try ConfigurationFile.read(path, limit: Self.sizeLimit)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        self.init(name: path, file: try ScenarioFile(json: data, file: path), folder: folder)
    }

    /// The merged response sets of several files, one for each name of a request.
    static func sets(of sources: [ScenarioSource]) -> [ResponseSet] {
        let parts = sources.flatMap { source in source.file.requests.map { (request: $0, folder: source.folder) } }
        let names = parts.map(\.request.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return names.map { name in set(named: name, of: parts.filter { $0.request.name == name }) }
    }

    /// The request of that name with the responses of several files, and with bodies in place of the names of files.
    package static func request(_ name: String, of sources: [ScenarioSource]) -> ScenarioRequest {
        var result: ScenarioRequest?
        for source in sources {
            guard let request = source.file.request(name) else { continue }
            var merged = result ?? ScenarioRequest(name, match: request.match, default: request.defaultResponse, responses: [])
            for response in request.responses {
                merged.responses.removeAll { $0.name == response.name }
                merged.responses.append(response.withBody(from: source.folder))
            }
            result = merged
        }
        return result ?? ScenarioRequest(name, responses: [])
    }

    private static func set(named name: String, of parts: [(request: ScenarioRequest, folder: URL?)]) -> ResponseSet {
        var responses: [Response] = []
        for (request, folder) in parts {
            for response in request.responses.map({ $0.response(folder: folder) }) {
                if let index = responses.firstIndex(where: { $0.name == response.name }) {
                    responses[index] = response
                } else {
                    responses.append(response)
                }
            }
        }
        let matches = parts.map(\.request.match)
        return ResponseSet(name, responses: responses, default: parts.first?.request.defaultResponse) { request in
            matches.contains { $0.matches(request) }
        }
    }
}

extension ScenarioResponse {
    /// The response with the bytes of its body if they are in a file; unchanged if the file can't be read.
    fileprivate func withBody(from folder: URL?) -> ScenarioResponse {
        guard case .reply(var reply) = answer, case .file = reply.body,
            case .reply(let read) = response(folder: folder).outcome(URLRequest(url: Simulation.url), nil)
        else { return self }
        var copy = self
        reply.headers = read.headers
        reply.body = .data(Array(read.body))
        copy.answer = .reply(reply)
        return copy
    }
}

extension RequestMatch {
    /// A URL that it matches; unspecified parts are those of the demo.
    var exampleURL: URL? {
        var parts = URLComponents()
        parts.scheme = scheme ?? "http"
        parts.host = host ?? "demo.invalid"
        parts.path = path.map { $0.hasSuffix("*") ? String($0.dropLast()) : $0 } ?? "/status"
        if !query.isEmpty {
            parts.queryItems = query.sorted { $0.key < $1.key }
                .map { URLQueryItem(name: $0.key, value: $0.value == "*" ? "1" : $0.value) }
        }
        return parts.url
    }
}
