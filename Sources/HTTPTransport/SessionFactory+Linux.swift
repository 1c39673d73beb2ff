#if canImport(FoundationNetworking)
import CCrypto
import Dispatch
import Foundation
import FoundationNetworking

/// Creates the tasks of a client.
///
/// Each task has its own session: Foundation on Linux looks tasks up in a table of their session without protection
/// against other tasks that start or end concurrently. A session costs about half a millisecond. It contains nothing
/// that later requests could reuse, because connections belong to libcurl.
struct SessionFactory: Sendable {
    private let configuration: URLSessionConfiguration
    private let callbacks: OperationQueue

    init(_ configuration: URLSessionConfiguration, callbacks queue: DispatchQueue) {
        // A session initialises libcurl, and with it OpenSSL: otherwise a program that exits meanwhile crashes.
        ccrypto_disable_exit_cleanup()
        self.configuration = configuration.withoutMemory()
        self.configuration.protocolClasses = Self.classes(of: configuration)
        callbacks = SerialOperationQueue(on: queue)
    }

    /// The caller's classes, then `CurlProtocol`, then Foundation's.
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
