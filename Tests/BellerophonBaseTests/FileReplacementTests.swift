import Foundation
import TestSupport
import Testing

@testable import BellerophonBase

@Suite("Files that are whole or absent")
struct FileReplacementTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var path: String { folder.path("file") }
    private var draft: String { folder.path(".file.new") }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    private func replace(_ text: String, mode: mode_t? = nil, createsOnly: Bool = false) throws {
        try FileCalls.replace(path, with: Data(text.utf8), draft: draft, mode: mode, createsOnly: createsOnly)
    }

    @Test("A new file and a replaced one have the content and the given permissions, and no draft stays")
    func permissions() throws {
        try replace("old")
        try replace("new", mode: 0o755)
        #expect(folder.text("file") == "new")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o755)
        #expect(try names == ["file"])
    }

    @Test("A file that is only to be created replaces none, and no draft stays")
    func creation() throws {
        try replace("first", createsOnly: true)
        #expect(throws: FileError("install", path, code: EEXIST)) { try replace("second", createsOnly: true) }
        #expect(folder.text("file") == "first")
        #expect(try names == ["file"])
    }

    @Test("A failure after the draft was written leaves neither it nor another file")
    func failure() throws {
        // A folder with content can't be replaced.
        _ = try folder.write("x", to: "file/inside")
        #expect(throws: FileError.self) { try replace("new") }
        #expect(try names == ["file"])
    }

    @Test("A draft that a crash has left is replaced, and a link in its place is not followed")
    func leftDraft() throws {
        let target = try folder.write("theirs", to: "target")
        try FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: target)
        try replace("mine")
        #expect(folder.text("file") == "mine" && folder.text("target") == "theirs")
        try Data("half".utf8).write(to: URL(fileURLWithPath: draft))
        try FileCalls.remove(path, draft: draft)
        #expect(try names == ["target"])
        try FileCalls.remove(path, draft: draft)
    }
}
