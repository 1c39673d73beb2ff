internal import CPty
import Foundation

/// What the guard does with its own process.
package enum OwnProcess {
    /// Stops this process, and returns after SIGCONT. Returns at once if no shell could continue it.
    /// - Parameters:
    ///   - number: the signal that has stopped the program. SIGTTIN and SIGTTOU are what a shell reports for a job that wants the
    ///     terminal; every other one acts as that of Ctrl-Z.
    ///   - withGroup: whether the other processes of the group are stopped, too.
    package static func stop(by number: Int32 = SIGTSTP, withGroup: Bool = false) {
        cpty_stop_self([SIGTTIN, SIGTTOU].contains(number) ? number : SIGTSTP, withGroup)
    }

    /// Lets go of standard input and output, which the program has. A pipe then ends with the program.
    package static func letGoOfInputAndOutput() { cpty_let_go_of_input_and_output() }

    /// Ends this process also by a signal of a crash that was sent to it. Without a terminal there is nothing to restore.
    package static func endOnCrash() {
        _ = cpty_arm_emergency(-1, nil)
    }

    /// Gives the signals of a crash their former handlers back, after a guard that could not start its program.
    package static func restoreCrashHandlers() { cpty_disarm_emergency() }

    /// The number of threads; nil if the system does not say it.
    package static var threads: Int? {
        let count = cpty_own_threads()
        return count > 0 ? Int(count) : nil
    }

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
