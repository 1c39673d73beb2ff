import Foundation

/// Texts as an array of C strings that is ended by NULL. It exists as long as the object.
package final class CStrings {
    package let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    package init(_ texts: [[UInt8]]) {
        count = texts.count
        pointer = .allocate(capacity: count + 1)
        for (index, text) in texts.enumerated() {
            (pointer + index).initialize(to: strdup(text.map { CChar(bitPattern: $0) } + [0]))
        }
        (pointer + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(pointer[index]) }
        pointer.deallocate()
    }
}
