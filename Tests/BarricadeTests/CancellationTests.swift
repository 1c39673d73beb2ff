import Barricade
import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Cancelled requests")
struct CancellationTests {
    /// Runs in its own process, which Foundation on Linux ends on a call for a task that has ended.
    @Test("A request that is cancelled while its reply is delivered harms nothing")
    func cancelledWhileDelivered() async {
        await #expect(processExitsWith: .success) {
            let barricade = BarricadeServer.stub(Response("late", body: Data("late".utf8), delay: .microseconds(50)))
            let session = URLSession(configuration: barricade.configuration)
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...4 {
                    group.addTask {
                        for round in 0..<200 {
                            await withCheckedContinuation { ended in
                                let task = session.dataTask(with: FaultTests.url) { _, _, _ in ended.resume() }
                                task.resume()
                                usleep(UInt32(round % 40) * 5)
                                task.cancel()
                            }
                        }
                    }
                }
            }
            withExtendedLifetime(barricade) {}
        }
    }

    /// A task ends once its loading was stopped.
    @Test("No call to the loading system goes on when the loading was stopped")
    func noLateCall() async throws {
        let barricade = BarricadeServer.stub(Response("late", body: Data("late".utf8), delay: .microseconds(1)))
        let type = try #require(barricade.configuration.protocolClasses?.first as? URLProtocol.Type)
        for _ in 0..<200 {
            let client = SlowClient()
            let loader = type.init(request: URLRequest(url: FaultTests.url), cachedResponse: nil, client: client)
            loader.startLoading()
            await client.firstCall()
            loader.stopLoading()
            client.stopped()
            #expect(!client.isInCall)
        }
    }
}

/// A loading system whose calls take their time.
private final class SlowClient: NSObject, URLProtocolClient, Sendable {
    private struct State {
        var isInCall = false
        var hasStopped = false
        var waiter: CheckedContinuation<Void, Never>?
        var hasBegun = false
    }

    private let state = Mutex(State())

    var isInCall: Bool { state.withLock { $0.isInCall } }

    /// Returns during or after the first call.
    func firstCall() async {
        await withCheckedContinuation { continuation in
            let hasBegun = state.withLock { state in
                if !state.hasBegun { state.waiter = continuation }
                return state.hasBegun
            }
            if hasBegun { continuation.resume() }
        }
    }

    func stopped() { state.withLock { $0.hasStopped = true } }

    private func call() {
        let waiter = state.withLock { state in
            (state.isInCall, state.hasBegun) = (true, true)
            #expect(!state.hasStopped, "a call came after the stop")
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
        for _ in 0..<5 { sched_yield() }
        state.withLock { $0.isInCall = false }
    }

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) { call() }
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { call() }
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { call() }
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { call() }
    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {}
    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
