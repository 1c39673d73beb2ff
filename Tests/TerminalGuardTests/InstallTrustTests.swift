import BellerophonBase
import Foundation
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("Trust in the files of an administrator")
struct InstallTrustTests {
    private let rig: InstallRig
    init() throws { rig = try InstallRig() }

    private func load() throws -> LoadedGuardProfile {
        try rig.folder.load(rig.name) { (_, _) throws(ConfigurationError) in }
    }

    /// The refusal of the profile `psql` after a change of its file system.
    private func refusal(_ change: (InstallRig) throws -> Void) throws -> GuardInstallError? {
        try change(rig)
        return try rig.failure { _ = try load() }
    }

    @Test func aProfileOfTheOwnerIsAccepted() throws {
        let loaded = try load()
        #expect(loaded.profile.program.text == rig.path("usr/bin/psql"))
        #expect(loaded.configuration.origin == rig.path(rig.profilePath))
        #expect(loaded.configuration.data == Data(#"{"status":{"url":"https://status.example.com/status"}}"#.utf8))
    }

    @Test(
        arguments: ["", "etc", "etc/bellerophon", "etc/bellerophon/guard.d"], [0o775, 0o757, 0o1777] as [mode_t]
    )
    func aFolderThatOthersCanChangeIsRefused(folder: String, mode: mode_t) throws {
        let error = try #require(try refusal { try $0.setMode(mode, of: folder) })
        #expect(error.kind == .configuration)
        #expect(error.description.contains("can be changed by \(mode == 0o775 ? "its group" : "every user")"))
        #expect(error.description.contains("chmod go-w") == folder.hasPrefix("etc/bellerophon"))
    }

    @Test(arguments: [0o664, 0o646, 0o602] as [mode_t]) func aProfileThatOthersCanChangeIsRefused(mode: mode_t) throws {
        let error = try #require(try refusal { try $0.setMode(mode, of: $0.profilePath) })
        #expect(error.kind == .configuration)
        #expect(error.description.contains("psql.json can be changed by"))
    }

    @Test func filesOfAnotherUserAreRefused() throws {
        let folder = GuardFolder(root: rig.root, owner: geteuid() + 1)
        let error = try #require(
            try rig.failure { _ = try folder.load(rig.name) { (_, _) throws(ConfigurationError) in } })
        #expect(error.kind == .configuration)
        #expect(error.description.contains("\(rig.root) belongs to "))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"), arguments: ["guard.d", "guard.d/psql.json"])
    func oneFileOfAnotherUserIsRefused(name: String) throws {
        let path = "etc/bellerophon/\(name)"
        let error = try #require(try refusal { chown($0.path(path), 65534, 0) })
        #expect(error.description.contains("\(path) belongs to user 65534, expected root"))
    }

    /// A named pipe is refused without waiting for a writer.
    @Test(
        "What is in place of a profile is refused with a reason",
        arguments: [
            ("link", "is a symbolic link"), ("named pipe", "is a named pipe, expected a regular file"),
            ("folder", "is a folder, expected a regular file"), ("nothing", "does not exist; write the profile to"),
            ("too much", "has more than \(GuardFolder.sizeLimit) bytes"),
        ])
    func noProfile(kind: String, reason: String) throws {
        rig.remove(rig.profilePath)
        switch kind {
        case "link": try rig.link(rig.profilePath, to: rig.path("usr/bin/psql"))
        case "named pipe": #expect(mkfifo(rig.path(rig.profilePath), 0o644) == 0)
        case "folder": try rig.makeFolder(rig.profilePath)
        case "too much": try rig.write(rig.profilePath, String(repeating: " ", count: GuardFolder.sizeLimit + 1))
        default: break
        }
        let error = try #require(try rig.failure { _ = try load() })
        #expect(error.kind == .configuration)
        #expect(error.description.contains("psql.json \(reason)"))
    }

    @Test func aFileOfSettingsIsCheckedLikeAProfile() throws {
        try rig.write("etc/bellerophon/config.json", #"{"status":{}}"#)
        try rig.write(
            rig.profilePath,
            #"{"program":"\#(rig.path("usr/bin/psql"))","wrapper":"\#(rig.path(rig.wrapperPath))","#
                + #""configFile":"\#(rig.path("etc/bellerophon/config.json"))"}"#)
        #expect(try load().configuration.data == Data(#"{"status":{}}"#.utf8))
        try rig.setMode(0o664, of: "etc/bellerophon/config.json")
        #expect(try rig.failure { _ = try load() }?.description.contains("config.json can be changed by its group") == true)
        rig.remove("etc/bellerophon/config.json")
        let missing = try rig.failure { _ = try load() }?.description
        #expect(missing?.contains("config.json does not exist; \(rig.path(rig.profilePath)) names it as configFile") == true)
    }

    @Test func theSettingsOfTheKillSwitchAreChecked() throws {
        let error = try rig.failure {
            _ = try rig.folder.load(rig.name) { (_, origin) throws(ConfigurationError) in
                throw ConfigurationError(origin: origin, "status.url: expected an http or https URL")
            }
        }
        #expect(error?.kind == .configuration)
        #expect(error?.description == "\(rig.path(rig.profilePath)): config.status.url: expected an http or https URL")
    }

    @Test("Permission errors map to a different error kind than other failures")
    func permissionErrorsAreDistinct() {
        #expect(GuardInstallError("/a", .system(EACCES)).kind == .notPermitted)
        #expect(GuardInstallError("/a", .system(EIO)).kind == .ioError)
        #expect(GuardInstallError(FileError("write", "/a", code: EPERM)).kind == .notPermitted)
        #expect(GuardInstallError(FileError("write", "/a", code: ENOSPC)).kind == .cantCreate)
    }

    // MARK: Links on the way

    private func resolve(_ path: String) throws -> String {
        try TrustedPath(root: rig.root, rule: .exclusive(geteuid())).resolve(rig.path(path)).path
    }

    @Test func aLinkInATrustedFolderIsFollowed() throws {
        try rig.link("relative", to: "./etc/../usr/bin")
        try rig.link("absolute", to: rig.path("relative"))
        #expect(try resolve("absolute/psql") == rig.path("usr/bin/psql"))
    }

    @Test func theFoldersOfALinksTargetAreChecked() throws {
        try rig.makeFolder("open/inner")
        try rig.setMode(0o777, of: "open")
        try rig.link("link", to: "open/inner")
        let problem = PathProblem.writable(mode: S_IFDIR | 0o777, refused: 0o022)
        #expect(throws: GuardInstallError(rig.path("open"), .onTheWay(problem, target: rig.path("link"), canMove: true))) {
            try resolve("link")
        }
        try rig.link("outside", to: "/tmp")
        #expect(throws: GuardInstallError.self) { try TrustedPath(root: rig.root, rule: .program).resolve(rig.path("outside")) }
    }

    @Test func aLoopOfLinksEnds() throws {
        try rig.link("one", to: "two")
        try rig.link("two", to: "one")
        #expect(throws: GuardInstallError(rig.path("one/x"), .tooManyLinks)) { try resolve("one/x") }
    }

    @Test func aFileOnTheWayIsNoFolder() throws {
        #expect(throws: GuardInstallError(rig.path("usr/bin/psql"), .notFolder)) { try resolve("usr/bin/psql/x") }
    }
}
