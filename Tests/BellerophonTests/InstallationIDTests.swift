import Foundation
import TestSupport
import Testing

@testable import Bellerophon

@Suite("The ID of an installation")
struct InstallationIDTests {
    private let folder: TestFolder
    private let id: InstallationID

    init() throws {
        folder = try TestFolder()
        id = InstallationID(in: folder.url.appendingPathComponent("state/notes"))
    }

    private var file: String { "state/notes/install-id" }
    private static let other = String(repeating: "0f", count: 16)

    private func entries(_ name: String = "state/notes") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(name))) ?? []).sorted()
    }

    @Test func itIsMadeOnceAndKept() throws {
        let first = try #require(id.text())
        #expect(first.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(id.text() == first)
        #expect(folder.text(file) == first)
        #expect(entries() == ["install-id"], "nothing else is left")
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path(file))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func twoInstallationsDiffer() throws {
        #expect(id.text() != InstallationID(in: folder.url.appendingPathComponent("elsewhere")).text())
    }

    @Test func threadsThatStartTogetherHaveOne() async throws {
        let found = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<64 { group.addTask { [id] in id.text() } }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(found.first != .some(nil))
        #expect(entries() == ["install-id"])
    }

    @Test func theFasterProcessWins() throws {
        // Another process makes the file between the look and the write.
        let found = id.text {
            _ = try? folder.write(Self.other + "\n", to: file)
            return InstallationID.randomBytes()
        }
        #expect(found == Self.other)
        #expect(entries() == ["install-id"])
    }

    @Test(
        "A damaged file is replaced once",
        arguments: [
            "", "\n", "0f", String(repeating: "0F", count: 16) + "\n", String(repeating: "0f", count: 16),
            String(repeating: "0f", count: 16) + "\n\n", String(repeating: "x", count: 5000),
        ]) func damaged(content: String) throws
    {
        try folder.write(content, to: file)
        let new = try #require(id.text())
        #expect(folder.text(file) == new)
        #expect(id.text() == new)
    }

    @Test func threadsThatFindADamagedFileHaveOne() async throws {
        try folder.write("damaged", to: file)
        let found = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<16 { group.addTask { [id] in id.text() } }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        // One that could not wait for the others has none in this run, never an own one.
        #expect(found.compactMap(\.self) == [folder.text(file)])
    }

    @Test func theOneThatRepairsFirstWins() throws {
        try folder.write("damaged", to: file)
        let found = id.text {
            _ = try? folder.write(Self.other + "\n", to: file)
            return InstallationID.randomBytes()
        }
        #expect(found == Self.other)
    }

    /// A file takes the place of the folder or of one above it, so that not even the superuser can make it.
    @Test(arguments: ["state/notes", "state"]) func withoutAFolderThereIsNone(file: String) throws {
        try folder.write("no folder", to: file)
        #expect(id.text() == nil)
        #expect(id.text() == nil)
        #expect(folder.text(file) == "no folder")
    }

    @Test func aPipeDoesNotBlockIt() throws {
        try FileManager.default.createDirectory(atPath: folder.path("state/notes"), withIntermediateDirectories: true)
        mkfifo(folder.path(file), 0o600)
        let new = try #require(id.text())
        #expect(folder.text(file) == new)
    }

    @Test("A link is followed, and stays", arguments: [Self.other + "\n", "damaged"])
    func link(content: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path("state/notes"), withIntermediateDirectories: true)
        try folder.write(content, to: "shared/id")
        try FileManager.default.createSymbolicLink(atPath: folder.path(file), withDestinationPath: folder.path("shared/id"))
        let first = try #require(id.text())
        #expect(folder.text("shared/id") == first)
        #expect(id.text() == first)
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: folder.path(file))) == folder.path("shared/id"))
    }

    @Test func aLinkToNothingIsReplaced() throws {
        try FileManager.default.createDirectory(atPath: folder.path("state/notes"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path(file), withDestinationPath: folder.path("nowhere"))
        let first = try #require(id.text())
        #expect(id.text() == first)
    }

    // MARK: The app

    @Test func theAppsOwnIDCountsAndNothingIsWritten() throws {
        var app = AppInfo(name: "notes")
        app.installID = "desk-17"
        let store = FileStatusStore(url: folder.url.appendingPathComponent("state/notes/status.json"))
        #expect(app.appFacts(keptIn: store).installID == "desk-17")
        #expect(entries().isEmpty)
        app.installID = nil
        #expect(app.appFacts(keptIn: store).installID == id.text())
        #expect(app.appFacts(keptIn: nil).installID == nil)
    }

    @Test("A text that can't be an ID is none", arguments: ["", "a\n", "a\u{7F}", String(repeating: "x", count: 129)])
    func unusableID(text: String) {
        var app = AppInfo(name: "notes")
        app.installID = text
        let store = FileStatusStore(url: folder.url.appendingPathComponent("state/notes/status.json"))
        #expect(app.appFacts(keptIn: store).installID == nil)
        #expect(entries().isEmpty)
    }

    @Test func theLongestIDIsOne() {
        #expect(InstallationID.isValid(String(repeating: "x", count: 128)))
        #expect(InstallationID.isValid("日本"))
    }
}
