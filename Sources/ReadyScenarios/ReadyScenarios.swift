import Barricade
import Foundation

/// The scenario files that ship with the package, in display order.
package enum ReadyScenarios {
    /// A shipped file.
    package struct File: Sendable {
        /// The file name in the package, such as `security-stop.json`.
        package let name: String
        /// The file's text in UTF-8.
        package let json: [UInt8]

        /// - Throws: the problems of an invalid file; a test verifies that there are none.
        package func read() throws(ScenarioFileError) -> ScenarioFile {
            try ScenarioFile(json: Data(json), file: name)
        }
    }

    package static let files = [
        File(name: "status.json", json: PackageResources.status_json),
        File(name: "planned-maintenance.json", json: PackageResources.planned_maintenance_json),
        File(name: "security-stop.json", json: PackageResources.security_stop_json),
        File(name: "forced-migration.json", json: PackageResources.forced_migration_json),
        File(name: "flapping-backend.json", json: PackageResources.flapping_backend_json),
        File(name: "tour.json", json: PackageResources.tour_json),
        File(name: "rules.json", json: PackageResources.rules_json),
        File(name: "deadline.json", json: PackageResources.deadline_json),
    ]

    /// All files merged: all responses of a status endpoint, and all timelines.
    package static let all = files.reduce(into: ScenarioFile(title: "Ready scenarios")) { all, file in
        if let read = try? file.read() { all.merge(read) }
    }
}
