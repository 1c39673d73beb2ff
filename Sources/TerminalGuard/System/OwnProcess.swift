internal import CPty

/// What the guard does with its own process.
package enum OwnProcess {
    /// Stops this process and the others of its group, as Ctrl-Z does, and returns after SIGCONT. Returns at once if no shell
    /// could continue the group.
    package static func stopGroup() {
        cpty_stop_own_group()
    }

    /// Whether a process is a living ancestor of this one.
    package static func isAncestor(_ process: Int32) -> Bool {
        cpty_is_ancestor(process)
    }
}
