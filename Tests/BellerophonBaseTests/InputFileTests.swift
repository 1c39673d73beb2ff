import BellerophonBase
import Foundation
import TestSupport
import Testing

@Suite("Files that a person names")
struct InputFileTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func pipe() -> String {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test func aFileIsReadWholeUpToItsLimit() throws {
        let path = try folder.write("12345", to: "file")
        #expect(try InputFile.read(path, limit: 5) == Data("12345".utf8))
        #expect(throws: InputFile.ReadError.tooLarge(limit: 4)) { try InputFile.read(path, limit: 4) }
    }

    @Test("A file that cannot be read causes an error with the reason")
    func unreadableFileSaysWhy() {
        #expect(throws: InputFile.ReadError.notFound) { try InputFile.read(folder.path("nothing"), limit: 5) }
        #expect(throws: InputFile.ReadError.isFolder) { try InputFile.read(folder.url.path, limit: 5) }
        #expect(throws: InputFile.ReadError.tooLarge(limit: 5)) { try InputFile.read("/dev/zero", limit: 5) }
    }

    @Test
    func aPipeWithoutAWriterIsGivenUp() {
        let path = pipe()
        let patience = Duration.milliseconds(20)
        #expect(throws: InputFile.ReadError.silent(for: patience)) { try InputFile.read(path, limit: 5, patience: patience) }
    }

    @Test("A pipe is read to its end even if its writer opens it late")
    func lateWriterIsAwaited() throws {
        let path = pipe()
        let text = String(repeating: "x", count: 200_000)
        Thread.detachNewThread {
            let writer = FileHandle(forWritingAtPath: path)
            try? writer?.write(contentsOf: Data(text.utf8))
            try? writer?.close()
        }
        #expect(try InputFile.read(path, limit: 1 << 20, patience: TestSupport.patience) == Data(text.utf8))
    }
}
