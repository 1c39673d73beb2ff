import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ScenarioRequest {
    /// The response set for this request.
    /// - Parameter folder: the scenario file's folder, which contains the files with bodies; nil if there is none.
    package func responseSet(folder: URL? = nil) -> ResponseSet {
        ResponseSet(
            name, matching: match, responses: responses.map { $0.response(folder: folder) }, default: defaultResponse
        )
    }
}

extension ScenarioResponse {
    /// The response that this value describes.
    /// - Parameter folder: the folder with the files for bodies; files outside it are refused.
    package func response(folder: URL? = nil) -> Response {
        let (name, answer) = (name, answer)
        var response = Response(name, summary: summary, group: group, delay: delay, jitter: jitter) { _, _ in
            answer.outcome(response: name, folder: folder)
        }
        response.setting = setting
        return response
    }
}

extension ScenarioResponse.Answer {
    fileprivate func outcome(response: String, folder: URL?) -> Response.Outcome {
        switch self {
        case .failure(let code): .failure(URLError(Self.code(code)))
        case .silence: .silence
        case .reply(let reply): reply.outcome(response: response, folder: folder)
        }
    }

    /// Foundation on Linux has a fixed list of codes; Apple's platforms accept any number.
    private static func code(_ code: Int) -> URLError.Code {
        let known: URLError.Code? = URLError.Code(rawValue: code)
        return known ?? .unknown
    }
}

extension ScenarioReply {
    fileprivate func outcome(response: String, folder: URL?) -> Response.Outcome {
        var reply = head
        switch body {
        case .none: break
        case .json(let json): fill(&reply, Data(json.utf8), "application/json")
        case .text(let text): fill(&reply, Data(text.utf8), "text/plain; charset=utf-8")
        case .data(let bytes): reply.body = Data(bytes)
        case .file(let path):
            guard let folder, Self.isInside(path) else {
                let sentence = "the response \"\(response)\" can't read its file \(path): the scenario is in no folder"
                return .failure(.barricade(.cannotOpenFile, sentence))
            }
            let file = ResponseFile(url: folder.appendingPathComponent(path), folder: folder)
            return file.outcome(reply, response: response)
        }
        return .reply(reply)
    }

    private func fill(_ reply: inout Response.Reply, _ body: Data, _ type: String) {
        reply.body = body
        reply.headers = reply.headers.adding("Content-Type", type)
    }
}
