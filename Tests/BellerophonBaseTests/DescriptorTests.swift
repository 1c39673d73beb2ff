import BellerophonBase
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("Descriptors")
struct DescriptorTests {
    private let pipe = Pipe()

    /// A descriptor of its own for the end that is written to, which is the only one.
    private func writer() throws -> Descriptor {
        let copy = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_DUPFD_CLOEXEC, 3)
        try #require(copy >= 0)
        try pipe.fileHandleForWriting.close()
        return Descriptor(copy)
    }

    /// Whether nobody has the end that is written to any more. The child of another test may have it for a moment.
    private var hasEnded: Bool {
        var poller = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, 0) > 0
    }

    @Test("A descriptor stays open until the source on it has ended, and no longer")
    func source() async throws {
        var writer: Descriptor? = try writer()
        let queue = DispatchQueue(label: "source"), mayEnd = DispatchSemaphore(value: 0)
        queue.async { mayEnd.wait() }
        var source: (any DispatchSourceWrite)? = writer?.writeSource(on: queue)
        source?.resume()
        source?.cancel()
        (source, writer) = (nil, nil)
        // The source ends on its queue.
        #expect(!hasEnded)
        mayEnd.signal()
        try await eventually("the end of the descriptor") { hasEnded ? true : nil }
    }

    @Test("A descriptor of others stays open")
    func foreign() throws {
        let writer = try writer()
        _ = Descriptor(writer.number, isOwn: false)
        #expect(!hasEnded)
        withExtendedLifetime(writer) {}
    }
}
