import Foundation
import TestSupport

/// A server that replies like the original Ruby server, byte by byte where it matters: its meta document has only `v`
/// and `url`, the file's URL is built from the request's `Host`, and its `Resource-Version` is always empty.
final class OriginalServer: Sendable {
    let http: HostileServer
    var url: URL { http.url("/") }

    /// - Parameter files: by name, with the JSON text of `v` in the manifest: a number or a string.
    init(_ files: [String: (v: String, text: String)], external: [String: (v: String, url: String)] = [:]) throws {
        http = try HostileServer()
        http.answer { request in
            let parts = request.path.split(separator: "/").map(String.init)
            guard parts.count == 2 else { return .failure(404) }
            if parts[0] == "GBCloudBoxResourcesMeta", let file = external[parts[1]] {
                return .json(#"{"v":\#(file.v),"url":"\#(file.url)"}"#)
            }
            guard let file = files[parts[1]] else { return .answer(Answer(status: 404, type: "text/html", text: "")) }
            switch parts[0] {
            case "GBCloudBoxResourcesMeta":
                let host = request.header("Host") ?? ""
                return .json(#"{"v":\#(file.v),"url":"http://\#(host)/GBCloudBoxResourcesData2/\#(parts[1])"}"#)
            case "GBCloudBoxResourcesData2":
                return .answer(
                    Answer(
                        type: "application/octet-stream",
                        headers: [
                            "Resource-Version": "", "Content-Transfer-Encoding": "binary",
                            "Content-Disposition": "attachment; filename=\"\(parts[1])\"",
                        ],
                        text: file.text
                    ))
            default: return .failure(404)
            }
        }
    }
}
