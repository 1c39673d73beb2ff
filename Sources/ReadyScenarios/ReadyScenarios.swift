import Barricade
import Foundation

/// The scenario files that ship with the package, one after another as a list shows them.
package enum ReadyScenarios {
    /// A shipped file.
    package struct File: Sendable {
        /// As it stands in the package: `security-stop.json`.
        package let name: String
        /// Its text.
        package let json: [UInt8]

        /// - Throws: where the text is no scenario file, which a test rules out.
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
    ]

    /// All of them as one: every response of a status endpoint, and every story.
    package static let all = files.reduce(into: ScenarioFile(title: "Ready scenarios")) { all, file in
        if let read = try? file.read() { all.merge(read) }
    }
}
