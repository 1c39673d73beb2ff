/// Keeps sessions of a program from updating it at the same time. A placeholder until the lock is there.
package final class UpdateLock: Sendable {
    package enum Outcome: Equatable, Sendable {
        case held
        /// Another process holds it; its number, if it is known.
        case busy(Int32?)
        /// There is no lock; the text says why.
        case unusable(String)
    }
    package init() {}
    package static func of(_ path: String) -> UpdateLock? { UpdateLock() }
    package func tryLock() -> Outcome { .held }
    package var isHeld: Bool { true }
    package func unlock() {}
}
