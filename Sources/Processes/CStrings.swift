/// Texts as an array of C strings that is ended by NULL. It exists as long as the object.
package final class CStrings {
    package let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    package init(_ texts: [[UInt8]]) {
        count = texts.count
        pointer = .allocate(capacity: count + 1)
        for (index, text) in texts.enumerated() {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count + 1)
            for (offset, byte) in text.enumerated() { copy[offset] = CChar(bitPattern: byte) }
            copy[text.count] = 0
            (pointer + index).initialize(to: copy)
        }
        (pointer + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { pointer[index]?.deallocate() }
        pointer.deallocate()
    }
}
