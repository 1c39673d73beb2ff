internal import CPty

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

    /// Whether a process is a living ancestor of this one.
    package static func isAncestor(_ process: Int32) -> Bool {
        cpty_is_ancestor(process)
    }
}
