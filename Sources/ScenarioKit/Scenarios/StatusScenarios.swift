import Barricade
import Foundation
import ReadyScenarios

/// The ready responses and timelines of a simulated status endpoint, grouped and described for the picker.
package enum StatusScenarios {
    /// The name of their kind of request.
    package static let requestName = "status"

    /// The scenarios that ship with the package.
    package static let file = ReadyScenarios.all

    /// A response set for a status endpoint, initially live.
    package static func responseSet(url: URL) -> ResponseSet {
        let set = file.request(requestName)?.responseSet()
        return ResponseSet(requestName, url: url, responses: set?.responses ?? [])
    }
}
