import Foundation

/// The steps of an installation, each of which leaves the old version or the new one when the program ends there.
package enum InstallStep: String, CaseIterable, Sendable {
    case syncFile, rename, syncFolder, writeState, removeOlder
}

/// Called before each step; a test makes it fail, or ends the program there.
package struct InstallSteps: Sendable {
    package var before: @Sendable (InstallStep) throws -> Void

    package init(before: @escaping @Sendable (InstallStep) throws -> Void = { _ in }) {
        self.before = before
    }
}
