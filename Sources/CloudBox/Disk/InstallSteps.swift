import Foundation

/// The steps of an installation. If the program ends before any of them, either the old or the new version is intact.
package enum InstallStep: String, CaseIterable, Sendable {
    case syncFile, rename, syncFolder, writeState, removeOlder
}

/// A hook that is called before each step. A test makes it throw, or ends the program in it.
package struct InstallSteps: Sendable {
    package var before: @Sendable (InstallStep) throws -> Void

    package init(before: @escaping @Sendable (InstallStep) throws -> Void = { _ in }) {
        self.before = before
    }
}
