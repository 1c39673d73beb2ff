import Bellerophon
import Processes
import TestSupport
import Testing

@testable import ProgramUpdates

/// What apt-get 2.6.1 has printed about packages that depend on each other in exactly one version.
@Suite("apt: an installation that is only tried") struct AptTrialTests {
    private static let common = "notes-common=1.4.0-1", bin = "notes-bin=1.4.0-1", extra = "notes-extra=1.4.0-1"

    private static let refused = """
        Reading package lists...
        Building dependency tree...
        Some packages could not be installed. This may mean that you have
        requested an impossible situation or if you are using the unstable
        distribution that some required packages have not yet been created
        or been moved out of Incoming.
        The following information may help to resolve the situation:

        The following packages have unmet dependencies:

        """
    private static let end = "E: Unable to correct problems, you have held broken packages.\n"

    /// The replies by the words that are asked.
    private func trial(isDefault: Bool = false, _ replies: [String: (String, Int32)]) -> (UpdateCandidate.Trial, [String]) {
        var asked: [String] = []
        let trial = AptTrial(package: "notes", version: "1.4.0-1", isDefault: isDefault).run { words in
            let line = words.dropFirst(2).joined(separator: " ")
            asked.append(line)
            guard let (text, code) = replies[line] else {
                return CommandOutput(bytes: [], outcome: .notStarted(StartError(code: 2)))
            }
            let isError = code != 0
            return CommandOutput(
                bytes: isError ? [] : Array(text.utf8), errorBytes: isError ? Array(text.utf8) : [], outcome: .ended(.exit(code)))
        }
        return (trial, asked)
    }

    private let lacksTwo =
        refused + """
             notes : Depends: notes-common (= 1.4.0-1) but 1.5.0-1 is to be installed
                     Depends: notes-bin (= 1.4.0-1) but 1.5.0-1 is to be installed

            """ + end

    private let removesOne = """
        Reading package lists...
        Building dependency tree...
        The following packages will be REMOVED:
          notes-extra
        The following packages will be DOWNGRADED:
          notes notes-bin notes-common
        0 upgraded, 0 newly installed, 3 downgraded, 1 to remove and 0 not upgraded.
        Remv notes-extra [1.5.0-1]
        Inst notes [1.5.0-1] (1.4.0-1 localhost [all]) []
        Conf notes (1.4.0-1 localhost [all])

        """

    private let works = """
        The following packages will be DOWNGRADED:
          notes notes-bin notes-common notes-extra
        0 upgraded, 0 newly installed, 4 downgraded, 0 to remove and 0 not upgraded.
        Inst notes [1.5.0-1] (1.4.0-1 localhost [all]) []
        Conf notes (1.4.0-1 localhost [all])

        """

    @Test("The packages that have to move with it are found step by step")
    func allMoveTogether() {
        let (first, both) = ("notes=1.4.0-1", "notes=1.4.0-1 \(Self.common) \(Self.bin)")
        let (found, asked) = trial([first: (lacksTwo, 100), both: (removesOne, 0), "\(both) \(Self.extra)": (works, 0)])
        #expect(found == .fine(with: [Self.common, Self.bin, Self.extra]))
        #expect(asked == [first, both, "\(both) \(Self.extra)"])
    }

    @Test("A package that has no such version stands in the way")
    func aRemovalIsSaid() {
        let both = "notes=1.4.0-1 \(Self.common) \(Self.bin)"
        let missing =
            "Reading package lists...\nBuilding dependency tree...\nE: Version '1.4.0-1' for 'notes-extra' was not found\n"
        let (found, _) = trial(["notes=1.4.0-1": (lacksTwo, 100), both: (removesOne, 0), "\(both) \(Self.extra)": (missing, 100)])
        #expect(found == .obstacle("can't install 1.4.0-1: Version '1.4.0-1' for 'notes-extra' was not found"))
        let (again, _) = trial(["notes=1.4.0-1": (removesOne, 0), "notes=1.4.0-1 \(Self.extra)": (removesOne, 0)])
        #expect(again == .obstacle("can't install 1.4.0-1: it would remove notes-extra"))
    }

    @Test("A package that is missing altogether stands in the way")
    func aMissingPackage() {
        let text = Self.refused + " notes : Depends: libmissing (>= 2) but it is not installable\n" + Self.end
        let (found, _) = trial(isDefault: true, ["notes": (text, 100)])
        #expect(found == .obstacle("can't install 1.4.0-1: notes Depends: libmissing (>= 2) but it is not installable"))
    }

    @Test("An installation that changes nothing else is fine, and so is one that can't be tried")
    func fine() {
        #expect(trial(isDefault: true, ["notes": (works, 0)]).0 == .fine(with: []))
        #expect(trial([:]).0 == .fine(with: []))
    }
}
