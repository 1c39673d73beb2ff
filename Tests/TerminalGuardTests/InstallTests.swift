import BellerophonBase
import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("Guard install")
struct InstallTests {
    private let rig: InstallRig
    init() throws { rig = try InstallRig() }

    // MARK: Install

    @Test func anInstallWritesAnExecutableWrapper() throws {
        let installation = try rig.install()
        #expect(installation.result == .installed)
        #expect(installation.wrapper.text == rig.path(rig.wrapperPath))
        #expect(installation.notes == [])
        let wrapper = try #require(GuardWrapper(parsing: rig.text(rig.wrapperPath) ?? ""))
        #expect(wrapper.profile == rig.name)
        #expect(wrapper.program.text == rig.path("usr/bin/psql"))
        #expect(try wrapper.bellerophon == rig.bellerophon)
        #expect(rig.mode(rig.wrapperPath) == 0o755)
        #expect(try rig.names(in: "usr/local/bin") == ["psql"])
    }

    @Test("An install fails when the status cannot be read")
    func unreadableStatusPreventsInstall() throws {
        let failure = try rig.failure {
            _ = try rig.installer.install(rig.name, bellerophon: rig.bellerophon, statusProblem: "HTTP 404")
        }
        #expect(failure?.exitCode == 69)
        #expect(failure?.description.contains("HTTP 404") == true && failure?.description.contains("--offline") == true)
        #expect(try rig.names(in: "usr/local/bin") == [] && rig.state() == .notInstalled)
    }

    /// A machine that repeats the install is not to fail because its server is away for a moment.
    @Test func anInstalledWrapperStaysInstalledWithANote() throws {
        try rig.install()
        let again = try rig.installer.install(rig.name, bellerophon: rig.bellerophon, statusProblem: "HTTP 404")
        #expect(again.result == .alreadyInstalled && again.notes == ["HTTP 404"])
        #expect(try rig.state() == .installed)
    }

    @Test func aSecondInstallChangesNothing() throws {
        try rig.install()
        let (text, record) = (rig.text(rig.wrapperPath), rig.text("var/lib/bellerophon-guard/psql.json"))
        #expect(try rig.install().result == .alreadyInstalled)
        #expect(rig.text(rig.wrapperPath) == text)
        #expect(rig.text("var/lib/bellerophon-guard/psql.json") == record)
    }

    @Test("A changed program in the profile rewrites the wrapper")
    func changedProgramRewritesWrapper() throws {
        try rig.install()
        try rig.write("usr/bin/psql-15", "#!/bin/sh\n", mode: 0o755)
        try rig.writeProfile(program: "usr/bin/psql-15")
        #expect(try rig.install().result == .rewritten)
        #expect(GuardWrapper(parsing: rig.text(rig.wrapperPath) ?? "")?.program.text == rig.path("usr/bin/psql-15"))
        #expect(try rig.names(in: "usr/local/bin") == ["psql"])
    }

    @Test("A wrapper with the wrong permissions is written again")
    func wrongModeRewritesWrapper() throws {
        try rig.install()
        try rig.setMode(0o644, of: rig.wrapperPath)
        #expect(try rig.state() == .outdated("\(rig.path(rig.wrapperPath)) has the mode 0644 instead of 0755"))
        #expect(try rig.install().result == .rewritten)
        #expect(rig.mode(rig.wrapperPath) == 0o755)
    }

    @Test func anotherPlaceInTheProfileMovesTheWrapper() throws {
        try rig.install()
        try rig.writeProfile(wrapper: "opt/bin/psql")
        let installation = try rig.install()
        #expect(installation.result == .installed)
        #expect(installation.notes == ["removed the former wrapper \(rig.path(rig.wrapperPath))"])
        #expect(try rig.names(in: "usr/local/bin") == [])
        #expect(try rig.names(in: "opt/bin") == ["psql"])
        #expect(try rig.installer.uninstall(rig.name).removed.map(\.text) == [rig.path("opt/bin/psql")])
    }

    @Test("A former wrapper that was edited is kept and noted")
    func editedFormerWrapperIsKept() throws {
        try rig.install()
        try rig.write(rig.wrapperPath, "mine")
        try rig.writeProfile(wrapper: "opt/bin/psql")
        let notes = try rig.install().notes
        #expect(notes.count == 1 && notes[0].contains("was not written by bellerophon guard install; it was left as it is"))
        #expect(rig.text(rig.wrapperPath) == "mine")
    }

    @Test(
        arguments: [
            ("etc/bellerophon/guard.d/psql.json", 0o600, "go+r"), ("etc/bellerophon", 0o700, "go+x"),
            ("usr/bin/bellerophon", 0o700, "go+x"), ("usr/bin", 0o700, nil), ("etc", 0o700, nil),
        ] as [(String, mode_t, String?)])
    func aFileThatOnlyItsOwnerCanUseIsNoted(path: String, mode: mode_t, change: String?) throws {
        try rig.setMode(mode, of: path)
        let notes = try rig.install().notes
        #expect(notes.count == 1)
        #expect(notes.first?.contains("only its owner can use \(rig.path(path)),") == true)
        if let change {
            #expect(notes.first?.hasSuffix("run: chmod \(change) '\(rig.path(path))'") == true)
        } else {
            #expect(notes.first?.contains("chmod") == false, "a folder of the machine stays as it is")
        }
    }

    @Test func aFileOfAGroupIsNotNoted() throws {
        try rig.setMode(0o640, of: rig.profilePath)
        #expect(try rig.install().notes == [])
    }

    // MARK: What an install refuses

    /// The refusal of an install after a change; nothing may be written.
    private func refusal(_ change: (InstallRig) throws -> Void) throws -> GuardInstallError? {
        try change(rig)
        let before = try rig.names(in: "usr/local/bin")
        let error = try rig.failure { try rig.install() }
        #expect(try rig.names(in: "usr/local/bin") == before)
        return error
    }

    @Test(arguments: ["text", "#!/bin/sh\nexec psql \"$@\"\n", ""]) func anotherFileIsNotOverwritten(text: String) throws {
        try rig.write(rig.wrapperPath, text)
        let error = try #require(try rig.failure { try rig.install() })
        #expect(error.kind == .cantCreate)
        #expect(error.description.contains("was not written by bellerophon guard install; it was left as it is"))
        #expect(rig.text(rig.wrapperPath) == text)
    }

    @Test func anEditedWrapperIsNotOverwritten() throws {
        try rig.install()
        let edited = (rig.text(rig.wrapperPath) ?? "") + "# mine\n"
        try rig.write(rig.wrapperPath, edited, mode: 0o755)
        let error = try #require(try rig.failure { try rig.install() })
        #expect(error.kind == .cantCreate)
        #expect(error.description.contains("was changed after bellerophon guard install had written it"))
        #expect(rig.text(rig.wrapperPath) == edited)
    }

    @Test func aLinkIsNotReplacedNorFollowed() throws {
        try rig.link(rig.wrapperPath, to: rig.path("etc/target"))
        let error = try #require(try rig.failure { try rig.install() })
        #expect(error.kind == .cantCreate && error.description.contains("is a symbolic link"))
        #expect(rig.mode("etc/target") == nil)
    }

    @Test func aFolderIsNotReplaced() throws {
        let error = try #require(try refusal { try $0.makeFolder($0.wrapperPath) })
        #expect(error.kind == .cantCreate && error.description.contains("is a folder"))
    }

    @Test("An install does not overwrite the wrapper of another profile")
    func otherProfilesWrapperIsKept() throws {
        try rig.install()
        try rig.writeProfile("second")
        let error = try #require(try rig.failure { try rig.install("second") })
        #expect(error.kind == .cantCreate)
        #expect(error.description.hasSuffix("run: bellerophon guard uninstall psql"))
        #expect(try rig.install().result == .alreadyInstalled)
    }

    @Test("A file that appears during the install is not overwritten")
    func racingFileIsNotOverwritten() throws {
        let installer = rig.installer { (data, path, isReplacement) throws(FileError) in
            try? Data("theirs".utf8).write(to: URL(fileURLWithPath: path))
            try WrapperPlace.writer(data, path, isReplacement)
        }
        let error = try #require(
            try rig.failure { _ = try installer.install(rig.name, bellerophon: rig.bellerophon) })
        #expect(error.kind == .cantCreate)
        #expect(rig.text(rig.wrapperPath) == "theirs")
        #expect(try rig.names(in: "usr/local/bin") == ["psql"])
    }

    @Test func aMissingProgramIsRefused() throws {
        let error = try #require(try refusal { $0.remove("usr/bin/psql") })
        #expect(error.kind == .configuration)
        #expect(error.description.hasSuffix("usr/bin/psql does not exist; install the program, or correct the profile"))
    }

    @Test func aProgramThatIsNotExecutableIsRefused() throws {
        let error = try #require(try refusal { try $0.setMode(0o644, of: "usr/bin/psql") })
        #expect(error.description.hasSuffix("usr/bin/psql is not executable"))
    }

    @Test(arguments: [("usr/bin/psql", 0o757), ("usr/bin", 0o1777)] as [(String, mode_t)])
    func aProgramThatEveryUserCanChangeIsRefused(path: String, mode: mode_t) throws {
        let error = try #require(try refusal { try $0.setMode(mode, of: path) })
        #expect(error.kind == .configuration)
        #expect(error.description.contains("\(path) can be changed by every user"))
        #expect(
            error.description.contains("chmod") == (path == "usr/bin/psql"), "nobody is told to change a folder of the machine")
    }

    @Test func aFolderIsNoProgram() throws {
        let error = try #require(try refusal { try $0.writeProfile(program: "usr/bin") })
        #expect(error.description.hasSuffix("usr/bin is a folder, expected a regular file"))
    }

    @Test func aProgramBehindALinkIsAccepted() throws {
        try rig.write("opt/bin/pg_wrapper", "#!/bin/sh\n", mode: 0o755)
        rig.remove("usr/bin/psql")
        try rig.link("usr/bin/psql", to: "../../opt/bin/pg_wrapper")
        try rig.install()
        let program = GuardWrapper(parsing: rig.text(rig.wrapperPath) ?? "")?.program.text
        #expect(program == rig.path("usr/bin/psql"), "the program sees the name that the administrator wrote")
    }

    @Test func aProgramThatIsTheWrapperItselfIsRefused() throws {
        // The same folder under a second name, as /bin and /usr/bin.
        try rig.link("bin", to: "usr/bin")
        try rig.writeProfile(wrapper: "bin/psql")
        let error = try #require(try rig.failure { try rig.install() })
        #expect(error.kind == .configuration)
        #expect(error.description.contains("program and wrapper are the same file"))
        #expect(rig.text("usr/bin/psql") == "#!/bin/sh\n")
    }

    @Test func aProgramThatIsAWrapperIsRefused() throws {
        try rig.install()
        try rig.writeProfile("second", program: rig.wrapperPath, wrapper: "opt/bin/psql")
        let error = try #require(try rig.failure { try rig.install("second") })
        #expect(error.kind == .configuration)
        #expect(error.description.contains("is the wrapper of the profile psql; name the program behind it"))
    }

    @Test(arguments: [("usr/local/bin", 0o757), ("usr/local", 0o1777)] as [(String, mode_t)])
    func aWrapperWhereEveryUserCanWriteIsRefused(path: String, mode: mode_t) throws {
        let error = try #require(try refusal { try $0.setMode(mode, of: path) })
        #expect(error.kind == .configuration)
        #expect(error.description.contains("\(path) can be changed by every user"))
    }

    @Test func aWrapperInAFolderOfAGroupIsAccepted() throws {
        try rig.setMode(0o2775, of: "usr/local/bin")
        #expect(try rig.install().result == .installed)
    }

    @Test func aMissingFolderOfTheWrapperIsRefused() throws {
        let error = try #require(try refusal { try $0.writeProfile(wrapper: "usr/local/sbin/psql") })
        #expect(error.description.hasSuffix("usr/local/sbin does not exist; create it, or change the profile"))
    }

    @Test("Records are not created in a folder that other users can change")
    func recordsNeedSafeFolder() throws {
        try rig.setMode(0o775, of: "var/lib")
        #expect(try rig.failure { try rig.install() }?.kind == .configuration)
        #expect(try rig.names(in: "var/lib") == [])
        #expect(try rig.names(in: "usr/local/bin") == [])
    }

    @Test(arguments: [0o644, 0o757] as [mode_t]) func aBellerophonThatIsNotSafeToStartIsRefused(mode: mode_t) throws {
        let error = try #require(try refusal { try $0.setMode(mode, of: "usr/bin/bellerophon") })
        #expect(error.kind == .configuration)
        #expect(
            error.description.contains(
                "usr/bin/bellerophon \(mode == 0o644 ? "is not executable" : "can be changed by every user")"))
    }

    // MARK: Uninstall

    @Test func anUninstallRemovesTheWrapper() throws {
        try rig.install()
        #expect(try rig.installer.uninstall(rig.name).removed.map(\.text) == [rig.path(rig.wrapperPath)])
        #expect(try rig.names(in: "usr/local/bin") == [])
        #expect(try rig.names(in: "var/lib/bellerophon-guard") == [".lock"])
        #expect(try rig.installer.uninstall(rig.name) == GuardInstaller.Removal(removed: [], notes: []))
    }

    @Test(arguments: [true, false]) func aWrapperIsRemovedWithoutAUsableProfile(isDeleted: Bool) throws {
        try rig.install()
        if isDeleted { rig.remove(rig.profilePath) } else { try rig.setMode(0o666, of: rig.profilePath) }
        #expect(try rig.installer.uninstall(rig.name).removed.map(\.text) == [rig.path(rig.wrapperPath)])
        #expect(try rig.names(in: "usr/local/bin") == [])
    }

    @Test func aWrapperIsRemovedWithoutARecord() throws {
        try rig.install()
        rig.remove("var/lib/bellerophon-guard/psql.json")
        #expect(try rig.installer.uninstall(rig.name).removed.count == 1)
    }

    @Test func anUninstallWithoutRecordAndProfileIsNoted() throws {
        rig.remove(rig.profilePath)
        let removal = try rig.installer.uninstall(rig.name)
        #expect(removal.removed == [])
        #expect(removal.notes.count == 1 && removal.notes[0].hasPrefix("no install is recorded"))
    }

    @Test(arguments: ["", "# mine\n"]) func aChangedWrapperIsNotRemoved(addition: String) throws {
        try rig.install()
        let text = addition.isEmpty ? "mine" : (rig.text(rig.wrapperPath) ?? "") + addition
        try rig.write(rig.wrapperPath, text)
        let error = try #require(try rig.failure { _ = try rig.installer.uninstall(rig.name) })
        #expect(error.kind == .cantCreate)
        #expect(error.description.hasSuffix("it was left as it is. Remove it by hand"))
        #expect(rig.text(rig.wrapperPath) == text)
        rig.remove(rig.wrapperPath)
        #expect(try rig.installer.uninstall(rig.name).removed == [], "the administrator has removed it")
        #expect(try rig.names(in: "var/lib/bellerophon-guard") == [".lock"])
    }

    @Test func aFileThatWasNeverAWrapperIsLeft() throws {
        try rig.write(rig.wrapperPath, "theirs")
        let removal = try rig.installer.uninstall(rig.name)
        #expect(removal.removed == [])
        #expect(removal.notes.count == 1 && removal.notes[0].contains("it was left as it is"))
        #expect(rig.text(rig.wrapperPath) == "theirs")
    }

    @Test func theWrapperOfAnotherProfileIsNotRemoved() throws {
        try rig.install()
        try rig.writeProfile("second")
        #expect(try rig.installer.uninstall(#require(GuardProfileName("second"))).removed == [])
        #expect(rig.text(rig.wrapperPath) != nil)
    }

    @Test func aDamagedRecordIsReported() throws {
        try rig.install()
        try rig.write("var/lib/bellerophon-guard/psql.json", "{")
        let error = try #require(try rig.failure { _ = try rig.installer.uninstall(rig.name) })
        #expect(error.kind == .configuration && error.description.contains("psql.json is damaged"))
    }

    @Test func recordsThatOthersCanChangeAreRefused() throws {
        try rig.install()
        try rig.setMode(0o777, of: "var/lib/bellerophon-guard")
        #expect(try rig.failure { _ = try rig.installer.uninstall(rig.name) }?.kind == .configuration)
        #expect(rig.text(rig.wrapperPath) != nil)
    }
}
