import Foundation

/// The cost of an instrumented build, for tests that bound time or memory. `make sanitize` sets the environment.
public enum Sanitizer {
    public static let isActive = ProcessInfo.processInfo.environment["BELLEROPHON_SANITIZER"] != nil
    /// The factor for memory bounds: a sanitizer keeps shadow memory and delays the reuse of freed memory.
    public static let memoryFactor = isActive ? 8 : 1
}
