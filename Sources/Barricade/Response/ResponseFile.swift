import BellerophonBase
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A file with a reply's body.
struct ResponseFile: Sendable {
    let url: URL
    /// The folder that must contain the file after all links are resolved; nil for no restriction.
    let folder: URL?

    /// In bytes. The whole file is read for every request.
    private static let sizeLimit = 64 << 20

    /// The reply with the file's bytes, or a failure with the reason.
    func outcome(_ head: Response.Reply, response: String) -> Response.Outcome {
        guard isInside else { return failure("it leads out of the scenario's folder", response) }
        let facts = FileFacts(path: url.path)
        if let facts, facts.st_size > Self.sizeLimit {
            return failure("it is larger than 64 MiB; bodyBytes makes a body of any size", response)
        }
        // Reading a pipe would block until it has a writer.
        guard facts?.isRegularFile != false else { return failure("it is not a regular file", response) }
        do {
            var reply = head
            reply.body = try Data(contentsOf: url)
            reply.headers = head.headers.adding("Content-Type", contentType)
            return .reply(reply)
        } catch {
            return failure(facts == nil ? "there is no such file" : "it can't be opened", response)
        }
    }

    private var isInside: Bool {
        guard let folder else { return true }
        let inner = url.resolvingSymlinksInPath().pathComponents
        let outer = folder.resolvingSymlinksInPath().pathComponents
        return inner.count > outer.count && inner.starts(with: outer)
    }

    private func failure(_ why: String, _ response: String) -> Response.Outcome {
        let sentence = "the response \"\(response)\" can't read its file \(url.path): \(why)"
        return .failure(.barricade(.cannotOpenFile, sentence, url: url))
    }

    private var contentType: String {
        switch url.pathExtension.lowercased() {
        case "json": "application/json"
        case "html", "htm": "text/html; charset=utf-8"
        case "txt", "md": "text/plain; charset=utf-8"
        case "xml": "application/xml"
        default: "application/octet-stream"
        }
    }
}
