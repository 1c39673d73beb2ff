#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import FoundationNetworking

/// Makes the tasks of a client.
///
/// Each task has a session of its own. Foundation on Linux looks tasks up in a table of their session that is not
/// protected against other tasks which start and end meanwhile. A session costs about half a millisecond and keeps nothing
/// that later requests could use: connections belong to libcurl.
struct SessionFactory: Sendable {
    private let configuration: URLSessionConfiguration
    private let callbacks: OperationQueue

    init(_ configuration: URLSessionConfiguration, callbacks queue: DispatchQueue) {
        self.configuration = configuration.withoutMemory()
        self.configuration.protocolClasses = Self.classes(of: configuration)
        callbacks = SerialOperationQueue(on: queue)
    }

    /// The caller's own classes, then ours, then Foundation's.
    private static func classes(of configuration: URLSessionConfiguration) -> [AnyClass] {
        let native = URLSessionConfiguration.ephemeral.protocolClasses ?? []
        let own = (configuration.protocolClasses ?? []).filter { candidate in !native.contains { $0 === candidate } }
        return own + [CurlProtocol.self] + native
    }

    func start(_ request: URLRequest, owner: any TransferOwner) -> URLSessionTask {
        let session = URLSession(configuration: configuration, delegate: owner, delegateQueue: callbacks)
        let task = session.dataTask(with: request)
        task.resume()
        session.finishTasksAndInvalidate()
        return task
    }
}
#endif
