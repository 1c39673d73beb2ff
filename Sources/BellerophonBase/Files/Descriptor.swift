import Dispatch
internal import Foundation

/// A file descriptor that is closed with the last reference to it.
package final class Descriptor: Sendable {
    package let number: Int32
    /// Whether the descriptor is closed in the end. Otherwise it belongs to others.
    package let isOwn: Bool

    package init(_ number: Int32, isOwn: Bool = true) {
        (self.number, self.isOwn) = (number, isOwn)
    }

    /// No descriptor.
    package static let none = Descriptor(-1, isOwn: false)

    deinit {
        if isOwn { close(number) }
    }
}

/// Sources that keep the descriptor open until they have ended, which is some time after `cancel()`.
///
/// Linux reports the events of a descriptor that was closed before, as long as another descriptor or a child process has the same
/// open file. Dispatch then looks for the source in memory that it has freed: the process crashes, at any place.
extension Descriptor {
    package func readSource(on queue: DispatchQueue) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        retain(untilEndOf: source)
        return source
    }

    package func writeSource(on queue: DispatchQueue) -> any DispatchSourceWrite {
        let source = DispatchSource.makeWriteSource(fileDescriptor: number, queue: queue)
        retain(untilEndOf: source)
        return source
    }

    private func retain(untilEndOf source: any DispatchSourceProtocol) {
        source.setCancelHandler { withExtendedLifetime(self) {} }
    }
}
