import BellerophonBase
import Foundation
import Processes

/// Finds the program that a shell starts for a name.
struct SearchPath {
    /// What a shell finds for the name of a wrapper.
    enum Finding: Equatable, Sendable {
        case wrapper
        /// Another program with the same name comes first.
        case other(String)
        /// No folder of the search path has a program with this name.
        case nothing
    }

    private let text: String

    /// - Parameter text: the value of PATH. Entries that are empty or relative depend on the current folder and are ignored.
    init(_ text: String) { self.text = text }

    /// The path of the first executable file with this name.
    func first(_ name: String) -> String? { ProgramSearch.first(name, in: text) }

    func find(_ wrapper: AbsolutePath) -> Finding {
        guard let path = first(wrapper.name) else { return .nothing }
        guard let found = FileFacts(path: path), let own = FileFacts(path: wrapper.text) else { return .other(path) }
        return found.isSameFile(as: own) ? .wrapper : .other(path)
    }
}
