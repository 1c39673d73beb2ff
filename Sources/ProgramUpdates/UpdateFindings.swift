import Bellerophon

/// A version that can be had from a source.
package struct UpdateCandidate: Equatable, Sendable {
    /// The version in the form that rules compare: `1.5.2`.
    package var version: String
    /// The version as the source spells it: `1:1.5.2-1+b1`.
    package var name: String
    /// Whether the source can install it on this machine.
    package var trial = Trial.none

    /// What a source says to an installation that is only tried.
    package enum Trial: Equatable, Sendable {
        /// Nothing is tried.
        case none
        /// It was not tried yet.
        case due
        /// It can be installed, with these other packages of the same source: `notes-common=1.5.2-1`.
        case fine(with: [String])
        /// The text is the end of a sentence that begins with the name of the source.
        case obstacle(LocalizedText)
    }

    /// The packages that are installed with it.
    var others: [String] { if case .fine(let others) = trial { others } else { [] } }

    package init(version: String, name: String) {
        (self.version, self.name) = (version, name)
    }

    /// The highest version first, each of them once.
    static func sorted(_ candidates: [UpdateCandidate]) -> [UpdateCandidate] {
        let known = candidates.compactMap { candidate in AppVersion(candidate.version).map { ($0, candidate) } }
        var seen: Set<String> = []
        return known.sorted { $0.0 > $1.0 }.map(\.1).filter { seen.insert($0.name).inserted }
    }
}

/// What is known of a program's versions on this machine and in its source.
package struct UpdateFindings: Equatable, Sendable {
    /// What can be had now.
    package enum Availability: Equatable, Sendable {
        /// These versions. The first one is what the source installs if no version is named, and the others follow, the highest first.
        case versions([UpdateCandidate])
        /// The source has no version of the package.
        case nothing
        /// The program is from another place than this source, whose package of the same name may be a stranger's. The text is the end
        /// of a sentence that begins with the name of the source.
        case elsewhere(LocalizedText)
        /// The source could not be asked. The text is the end of a sentence that begins with the name of the source.
        case failed(LocalizedText)
        /// There is no way to ask.
        case notAsked
    }

    /// The version that is installed now, which may differ from the one that runs; nil if it is not known.
    package var installed: String?
    /// Why the installed version is not known, as the end of a sentence that begins with the command; nil if it is, or if there is no
    /// way to find out.
    package var installedProblem: LocalizedText?
    package var available = Availability.notAsked
    /// Whether the source keeps the installed version, such as `apt-mark hold` and `pipx pin`.
    package var isPinned = false
    /// Other programs of the same name in `PATH`: a shell starts one of them in place of the updated one, or the person may have
    /// updated it.
    package var copies: [UpdateReport.Copy] = []

    package init(installed: String? = nil, _ problem: LocalizedText? = nil) {
        (self.installed, installedProblem) = (installed, problem)
    }
}
