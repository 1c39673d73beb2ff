import Foundation

/// What an instrumented build costs, for tests whose bound is time or memory; `make sanitize` sets the environment.
public enum Sanitizer {
    public static let isActive = ProcessInfo.processInfo.environment["BELLEROPHON_SANITIZER"] != nil
    /// How much more memory a program may take: a sanitizer keeps a shadow of it, and holds back what was freed.
    public static let memoryFactor = isActive ? 8 : 1
}
