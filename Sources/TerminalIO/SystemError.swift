internal import CPty

/// The error of a failed system call.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The attempted action, as the verb of a sentence: "open a pseudo-terminal".
    package let action: String
    /// The value of `errno`.
    package let code: Int32

    package init(_ action: String, code: Int32) {
        self.action = action
        self.code = code
    }

    /// The system's description of the error.
    package var reason: String { String(cString: strerror(code)) }

    package var description: String { "can't \(action): \(reason)" }

    /// Returns the result of a function of CPty.
    /// - Throws: an error if the result is negative.
    package static func check<Number: SignedInteger>(_ action: String, _ result: Number) throws(SystemError) -> Number {
        if result < 0 { throw SystemError(action, code: Int32(truncatingIfNeeded: -result)) }
        return result
    }
}
