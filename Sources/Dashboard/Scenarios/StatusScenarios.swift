public import Barricade
public import Foundation
import ReadyScenarios

/// The ready answers and stories of a simulated status endpoint, grouped and described for the picker.
public enum StatusScenarios {
    /// The name of the kind of request that they answer.
    public static let requestName = "status"

    /// The scenarios as data: those that ship with the package.
    public static let file = ReadyScenarios.all

    /// A response set for a status endpoint; it starts live.
    public static func responseSet(url: URL) -> ResponseSet {
        let set = file.request(requestName)?.responseSet()
        return ResponseSet(requestName, url: url, responses: set?.responses ?? [])
    }
}
