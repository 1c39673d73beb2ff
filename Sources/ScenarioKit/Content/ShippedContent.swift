import Barricade
import Foundation
import ReadyContent
import ReadyScenarios

/// The resources that ship with the program, each as its first version.
package enum ShippedContent {
    package static let dashboardName = "dashboard.json"
    package static let helpName = "help.txt"
    package static let version: Int64 = 1

    /// The name and bytes of every resource, in the order of the Resources pane.
    package static let files: [(name: String, data: Data)] =
        [(dashboardName, Data(ReadyContent.dashboard)), (helpName, Data(ReadyContent.help))]
        + ReadyScenarios.files.map { ($0.name, Data($0.json)) }

    /// The maximum size of a newer version from a server, in bytes. Of the help text, ``DashboardContent/helpLimit`` bytes are
    /// shown after characters without a place on the screen were removed.
    package static func limit(of name: String) -> Int64 {
        switch name {
        case dashboardName, helpName: 64 << 10
        default: 1 << 20
        }
    }

    /// The names of the scenario files, in the order in which they are merged.
    package static let scenarioNames = ReadyScenarios.files.map(\.name)
}
