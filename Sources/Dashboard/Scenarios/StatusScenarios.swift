import Barricade
import Foundation
import ReadyScenarios

/// The ready answers and stories of a simulated status endpoint, grouped and described for the picker.
package enum StatusScenarios {
    /// The name of the kind of request that they answer.
    package static let requestName = "status"

    /// The scenarios as data: those that ship with the package.
    package static let file = ReadyScenarios.all

    /// A response set for a status endpoint; it starts live.
    package static func responseSet(url: URL) -> ResponseSet {
        let set = file.request(requestName)?.responseSet()
        return ResponseSet(requestName, url: url, responses: set?.responses ?? [])
    }
}
