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
    package var folder: URL?

    /// The largest accepted file in bytes: 16 MiB.
    package static let sizeLimit = 16 << 20
}

extension ScenarioSource {
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
        let names = sources.flatMap(\.file.requests).map(\.name).reduce(into: [String]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        return names.map { name in
            let requests = sources.compactMap { $0.file.request(name) }
            let responses = responses(to: name, of: sources).map { $0.response(folder: $1) }
            return ResponseSet(name, responses: responses, default: requests.first?.defaultResponse) { request in
                requests.contains { $0.match.matches(request) }
            }
        }
    }

    /// The request of that name with the responses of several files, and with bodies in place of the names of files.
    package static func request(_ name: String, of sources: [ScenarioSource]) -> ScenarioRequest {
        let first = sources.lazy.compactMap { $0.file.request(name) }.first ?? ScenarioRequest(name, responses: [])
        let responses = responses(to: name, of: sources).map { $0.withBody(from: $1) }
        return ScenarioRequest(name, match: first.match, default: first.defaultResponse, responses: responses)
    }

    /// The responses of several files, each with the folder of its file. A later one replaces one of the same name.
    private static func responses(to name: String, of sources: [ScenarioSource]) -> [(ScenarioResponse, folder: URL?)] {
        var all: [(ScenarioResponse, folder: URL?)] = []
        for source in sources {
            for response in source.file.request(name)?.responses ?? [] {
                let index = all.firstIndex { $0.0.name == response.name } ?? all.endIndex
                all.replaceSubrange(index..<min(index + 1, all.endIndex), with: [(response, source.folder)])
            }
        }
        return all
    }
}

extension ScenarioResponse {
    /// The response with the bytes of its body if they are in a file; unchanged if the file can't be read.
    fileprivate func withBody(from folder: URL?) -> ScenarioResponse {
        guard case .reply(var reply) = answer, case .file = reply.body,
            case .reply(let read) = response(folder: folder).outcome(URLRequest(url: Simulation.url), nil)
        else { return self }
        var copy = self
        reply.head.headers = read.headers
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
