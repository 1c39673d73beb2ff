import HTTPTransport

extension StatusSource {
    /// Requests the status and waits for the reply. Cancelling the task cancels the exchange.
    /// - Throws: why no valid status was received; after a cancellation, the source's error for it.
    public func status() async throws(StatusError) -> StatusReply {
        let result = await awaitCallback { done in
            let check = fetchStatus(done)
            return { check.cancel() }
        }
        return try result.get()
    }
}
