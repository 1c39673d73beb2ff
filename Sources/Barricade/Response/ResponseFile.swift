import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A file that serves as a reply's body.
struct ResponseFile: Sendable {
    let url: URL
    /// The folder that the file has to be in once every link is followed; nil allows any place.
    let folder: URL?

    /// Bytes: it is read whole, for every request.
    private static let sizeLimit = 64 << 20

    /// The reply with the file's bytes, or a failure that says why there are none.
    func outcome(_ head: Response.Reply, response: String) -> Response.Outcome {
        guard isInside else { return failure("it leads out of the scenario's folder", response) }
        if let size, size > Self.sizeLimit {
            return failure("it is larger than 64 MiB; bodyBytes makes a body of any size", response)
        }
        // Reading a pipe would wait for its writer.
        guard isRegular != false else { return failure("it is no regular file", response) }
        do {
            var reply = head
            reply.body = try Data(contentsOf: url)
            reply.headers = head.headers.adding("Content-Type", contentType)
            return .reply(reply)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: url.path)
            return failure(isThere ? "it can't be opened" : "there is no such file", response)
        }
    }

    private var size: Int? {
        try? url.resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey]).fileSize
    }

    /// Nil where nothing is there.
    private var isRegular: Bool? {
        try? url.resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
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
