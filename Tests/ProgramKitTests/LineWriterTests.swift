import Foundation
import TestSupport
import Testing

@testable import ProgramKit

@MainActor
@Suite("Lines for a reader that may not read")
struct LineWriterTests {
    @Test("A pipe that nobody reads keeps nothing waiting, and what has no room is left out")
    func fullPipe() throws {
        let pipe = Pipe()
        let writer = LineWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor, limit: 200_000) { _ in }
        let line = String(repeating: "x", count: 999) + "\n"
        let taken = (0..<1000).count { _ in writer.write(line) }
        #expect((200..<1000).contains(taken))
        #expect(!writer.finish(within: .milliseconds(1)))
        // The reader comes, and gets whole lines.
        let reader = pipe.fileHandleForReading
        var read = Data()
        while read.count < taken * 1000 { read += reader.availableData }
        #expect(read.count == taken * 1000 && writer.finish(within: patience))
        #expect(writer.write(line) && writer.finish(within: patience))
        // A write to a pipe that is closed before it would end the tests by SIGPIPE.
        withExtendedLifetime(pipe) {}
    }

    @Test("Output that can't be written is reported with the reason")
    func fullDisk() async throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let problem = await withCheckedContinuation { continuation in
            let writer = LineWriter(descriptor: full.fileDescriptor) { continuation.resume(returning: $0) }
            #expect(writer.write("one\n"))
        }
        #expect(problem == "No space left on device")
        withExtendedLifetime(full) {}
    }
}
