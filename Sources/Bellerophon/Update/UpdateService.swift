package import Foundation

/// Finds out how a required update can be had. A window that can run updates has one, and its manager uses it.
@MainActor
package protocol UpdateService: AnyObject {
    /// What is known; nil while no update is required.
    var report: UpdateReport? { get }
    /// Performs what the service finds out. The manager sets it.
    var onChange: (@MainActor (UpdateChange) -> Void)? { get set }
    /// The status requires something else than before; nil: it requires no update.
    func require(_ requirement: UpdateRequirement?)
    /// The person wants to know what holds now.
    func askAgain()
    /// The person goes on without the update, which can't be had.
    func goOn()
}

/// What an ``UpdateService`` has found out.
package enum UpdateChange: Equatable, Sendable {
    /// ``UpdateService/report`` has changed.
    case report
    /// The app may go on without the update until a date; nil: it may not.
    case deferred(until: Date?)
    /// The app has this version.
    case version(String)
}

/// A window that can run updates.
@MainActor
package protocol UpdatingWindow: OverlayWindow {
    /// Makes the service for an app; nil if the window runs no updates. Called once, by the manager.
    func makeUpdateService(for app: AppInfo) -> (any UpdateService)?
}
