import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// The smallest request that leaves a connection open behind it: the head alone, with the same header fields.
    var openingConnection: URLRequest {
        var request = self
        request.httpMethod = "HEAD"
        request.setValue(nil, forHTTPHeaderField: "Last-Event-ID")
        // Whole seconds. A server that never answers it gets the stream's own request all the same.
        request.timeoutInterval = 3
        return request
    }
}
