internal import CPty
import Foundation

/// What the guard does with its own process.
package enum OwnProcess {
    /// Stops this process and the others of its group, as Ctrl-Z does, and returns after SIGCONT. Returns at once if no shell
    /// could continue the group.
    package static func stopGroup() {
        cpty_stop_own_group()
    }

    /// The process identifier.
    package static var number: Int32 { getpid() }

    /// Whether a process is a living ancestor of this one.
    package static func isAncestor(_ process: Int32) -> Bool {
        process > 0 && ancestors.contains(process)
    }

    /// The living ancestors of this process, its parent first; empty if they can't be read.
    package static var ancestors: [Int32] { ancestors(of: getpid()) ?? [] }

    /// The living ancestors of a process, its parent first; nil if one of them can't be read, because it has ended for example.
    package static func ancestors(of process: Int32) -> [Int32]? {
        var found = [Int32](repeating: 0, count: 4096)
        // A process that ends during the walk makes it fail; its children then have another parent.
        for _ in 0..<3 {
            let count = cpty_ancestors(process, &found, Int32(found.count))
            if count >= 0 { return Array(found[..<Int(count)]) }
        }
        return nil
    }
}
