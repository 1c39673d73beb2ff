#if canImport(Darwin)
import Dispatch
import Foundation

/// Creates the tasks of a client. They share a session and its connections.
final class SessionFactory: Sendable {
    private let session: URLSession

    init(_ configuration: URLSessionConfiguration, callbacks queue: DispatchQueue) {
        session = URLSession(
            configuration: configuration.withoutMemory(), delegate: nil, delegateQueue: SerialOperationQueue(on: queue)
        )
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    func start(_ request: URLRequest, owner: any TransferOwner) -> URLSessionTask {
        let task = owner.upload.map { session.uploadTask(with: request, fromFile: $0) } ?? session.dataTask(with: request)
        task.delegate = owner
        task.resume()
        return task
    }
}
#endif
