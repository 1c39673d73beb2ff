import Bellerophon
import BellerophonBase
import Foundation
import Processes
import TestSupport
import Testing

@testable import TerminalGuard

@Suite("Guard status")
struct InstallStatusTests {
    private let rig: InstallRig
    init() throws { rig = try InstallRig() }

    @Test func aProfileIsNotInstalledAtFirst() throws {
        let status = try rig.status()
        #expect(
            status == [
                GuardProfileStatus(
                    name: "psql", program: rig.path("usr/bin/psql"), wrapper: rig.path(rig.wrapperPath), state: .notInstalled)
            ])
        #expect(!GuardStatusReport(folder: rig.folder.path, profiles: status).needsAttention)
    }

    @Test func anInstalledProfileIsFound() throws {
        try rig.install()
        #expect(try rig.state() == .installed)
        #expect(try rig.status().allSatisfy { !$0.needsAttention })
    }

    @Test("An executable earlier in the search path shadows the wrapper")
    func earlierExecutableShadows() throws {
        try rig.install()
        #expect(try rig.state(searching: ["usr/bin", "usr/local/bin"]) == .shadowed(by: rig.path("usr/bin/psql")))
        #expect(try rig.state(searching: ["opt/bin", "missing", "usr/local/bin"]) == .installed)
        try rig.write("opt/bin/psql", "#!/bin/sh\n")
        #expect(try rig.state(searching: ["opt/bin", "usr/local/bin"]) == .installed, "a file that is not executable")
        #expect(try rig.state(searching: ["opt/bin"]) == .shadowed(by: nil))
        rig.remove("opt/bin/psql")
        try rig.makeFolder("opt/bin/psql")
        #expect(try rig.state(searching: ["opt/bin", "usr/local/bin"]) == .installed, "a folder")
    }

    @Test("A symbolic link to the wrapper's folder in the search path does not shadow the wrapper")
    func linkedFolderShadowsNothing() throws {
        try rig.install()
        try rig.link("bin", to: "usr/local/bin")
        #expect(try rig.state(searching: ["bin"]) == .installed)
    }

    @Test func aChangedWrapperIsFound() throws {
        try rig.install()
        try rig.write(rig.wrapperPath, "mine", mode: 0o755)
        #expect(
            try rig.state() == .changed("\(rig.path(rig.wrapperPath)) was not written by bellerophon guard install"))
    }

    @Test("A profile changed after the install is reported as outdated")
    func changedProfileIsOutdated() throws {
        try rig.install()
        try rig.write("opt/bin/psql", "#!/bin/sh\n", mode: 0o755)
        try rig.writeProfile(program: "opt/bin/psql")
        #expect(try rig.state() == .outdated("the wrapper starts \(rig.path("usr/bin/psql"))"))
    }

    @Test func aRemovedBellerophonIsFound() throws {
        try rig.install()
        rig.remove("usr/bin/bellerophon")
        #expect(try rig.state() == .unguarded(missing: rig.path("usr/bin/bellerophon")))
    }

    @Test func aBellerophonThatEveryUserCanChangeIsFound() throws {
        try rig.install()
        try rig.setMode(0o757, of: "usr/bin/bellerophon")
        let state = try #require(try rig.state())
        #expect(state.name == "refused")
        #expect(state.reason?.contains("usr/bin/bellerophon can be changed by every user") == true)
    }

    @Test func twoProfilesWithOneWrapperAreFound() throws {
        try rig.install()
        try rig.writeProfile("second")
        let second = try #require(try rig.status().first { $0.name == "second" })
        #expect(second.state == .changed("\(rig.path(rig.wrapperPath)) is the wrapper of the profile psql"))
    }

    @Test func aBrokenProfileDoesNotHideTheOthers() throws {
        try rig.install()
        let folder = "etc/bellerophon/guard.d"
        try rig.write("\(folder)/a.json", "{")
        try rig.write("\(folder)/b c.json", "{}")
        try rig.writeProfile("d", program: "usr/bin/missing")
        try rig.writeProfile("e")
        try rig.setMode(0o666, of: "\(folder)/e.json")
        try rig.write("\(folder)/.hidden.json", "{")
        try rig.write("\(folder)/README", "")
        try rig.makeFolder("\(folder)/f.json")
        let status = try rig.status()
        #expect(status.map(\.name) == ["a", "b c", "d", "e", "f", "psql"])
        #expect(status.map(\.state.name) == ["refused", "refused", "refused", "refused", "refused", "installed"])
        #expect(status.map(\.needsAttention) == [true, true, true, true, true, false])
        #expect(status[0].state.reason?.hasPrefix("\(rig.path(folder))/a.json: not JSON") == true)
        #expect(status[2].program == rig.path("usr/bin/missing"), "the profile itself is right")
        #expect(status[3].program == nil)
    }

    @Test func anInstallWhoseProfileWasDeletedIsListed() throws {
        try rig.install()
        rig.remove(rig.profilePath)
        let status = try #require(try rig.status().first)
        #expect(status.wrapper == rig.path(rig.wrapperPath))
        #expect(status.state.name == "refused")
        #expect(status.state.reason?.contains("psql.json does not exist; write the profile to ") == true)
        #expect(status.state.reason?.hasSuffix("to remove the wrapper, run: bellerophon guard uninstall psql") == true)
    }

    @Test func aMissingFolderHasNoProfiles() throws {
        let empty = GuardInstaller(GuardFolder(root: rig.path("opt"), owner: geteuid())) { (_, _) throws(ConfigurationError) in }
        #expect(try empty.status(searchPath: "") == [])
    }

    // MARK: The report

    private static let profiles = [
        GuardProfileStatus(name: "psql", program: "/usr/bin/psql", wrapper: "/usr/local/bin/psql", state: .installed),
        GuardProfileStatus(name: "a\u{1B}[31m", program: nil, wrapper: nil, state: .refused("one\ntwo")),
        GuardProfileStatus(name: "日本", program: "/b", wrapper: "/w", state: .notInstalled),
    ]

    @Test func theTableIsAlignedAndSafe() {
        let report = GuardStatusReport(folder: "/etc/bellerophon/guard.d", profiles: Self.profiles)
        #expect(
            report.text == """
                NAME    PROGRAM        WRAPPER              STATE
                psql    /usr/bin/psql  /usr/local/bin/psql  installed
                a␛[31m  -              -                    refused: one; two
                日本    /b             /w                   not installed
                """)
        #expect(report.needsAttention)
    }

    @Test func theJSONHasEveryFact() throws {
        let report = GuardStatusReport(folder: "/etc/bellerophon/guard.d", profiles: Self.profiles)
        #expect(!report.json.unicodeScalars.contains("\u{1B}"))
        let value = try #require(JSONValue(parsing: Data(report.json.utf8)))
        #expect(
            value
                == .object([
                    "folder": .string("/etc/bellerophon/guard.d"),
                    "profiles": .array([
                        .object([
                            "name": .string("psql"), "program": .string("/usr/bin/psql"),
                            "wrapper": .string("/usr/local/bin/psql"), "state": .string("installed"),
                        ]),
                        .object([
                            "name": .string("a\u{1B}[31m"), "state": .string("refused"), "reason": .string("one\ntwo"),
                        ]),
                        .object([
                            "name": .string("日本"), "program": .string("/b"), "wrapper": .string("/w"),
                            "state": .string("notInstalled"),
                        ]),
                    ]),
                ]))
    }

    @Test func theReportSaysWhatHoldsPrograms() {
        let report = GuardStatusReport(folder: "/etc/x", profiles: [], holding: .controlGroup)
        #expect(report.text.hasSuffix("\n\nheld here by: a control group"))
        #expect(report.json.contains(#""holding":"controlGroup""#))
    }

    @Test func anEmptyReportSaysWhereItLooked() {
        #expect(GuardStatusReport(folder: "/etc/x", profiles: []).text == "no profiles in /etc/x")
    }

    // MARK: The running program

    @Test("The own executable is found by its invocation name, or else by its actual path")
    func ownExecutableIsFound() throws {
        let actual = rig.path("usr/bin/bellerophon")
        try rig.link("opt/bin/bellerophon", to: actual)
        func find(_ invocation: String, in folders: [String] = [], from folder: String = "") -> String? {
            OwnExecutable.path(
                invocation: invocation, searchPath: folders.map(rig.path).joined(separator: ":"),
                currentFolder: rig.path(folder), actual: actual)
        }
        #expect(find("bellerophon", in: ["usr/local/bin", "opt/bin"]) == rig.path("opt/bin/bellerophon"))
        #expect(find(rig.path("opt/bin/bellerophon")) == rig.path("opt/bin/bellerophon"))
        #expect(find("./bellerophon", from: "opt/bin") == rig.path("opt/bin/bellerophon"))
        #expect(find("../opt/bin/bellerophon", from: "usr") == rig.path("opt/bin/bellerophon"))
        #expect(find("psql", in: ["usr/bin"]) == actual, "another file")
        #expect(find("missing", in: ["usr/bin"]) == actual)
        #expect(find("") == actual)
    }

    // MARK: The status address

    @Test("The report lists the service status of a profile only where it was read")
    func statusReportListsReadings() throws {
        try rig.install()
        let profiles = try rig.status()
        let blind = GuardStatusReport(
            folder: "/etc", profiles: profiles, readings: ["psql": .problem("the server replied with HTTP 404")])
        #expect(blind.hasUnreadableStatus && !blind.needsAttention)
        #expect(blind.text.contains("STATUS") && blind.text.contains("unreadable: the server replied with HTTP 404"))
        #expect(blind.json.contains(#""statusProblem":"the server replied with HTTP 404""#))
        let seeing = GuardStatusReport(folder: "/etc", profiles: profiles, readings: ["psql": .stage(.killed)])
        #expect(!seeing.hasUnreadableStatus && seeing.text.hasSuffix("paused") && seeing.json.contains(#""status":"killed""#))
        let untried = GuardStatusReport(folder: "/etc", profiles: profiles)
        #expect(!untried.hasUnreadableStatus && !untried.text.contains("STATUS") && !untried.json.contains("status\""))
        #expect(GuardStatusReport(folder: "/etc", profiles: profiles, readings: [:]).text.hasSuffix("-"))
    }
}
