import Foundation
import TestSupport
import Testing

@testable import Bellerophon

@Suite("A line on standard error of a program that ends")
struct LineOutputTests {
    @Test("A line is written whole")
    func whole() throws {
        let pipe = Pipe()
        LineOutput.write("stopped\n", to: pipe.fileHandleForWriting.fileDescriptor)
        #expect(try pipe.fileHandleForReading.read(upToCount: 8) == Data("stopped\n".utf8))
    }

    @Test("A full pipe does not hold the program")
    func full() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        let block = [UInt8](repeating: 0x2E, count: 512)
        var filled = 0
        while case let count = write(descriptor, block, block.count), count > 0 { filled += count }
        _ = fcntl(descriptor, F_SETFL, flags)
        LineOutput.write("stopped\n", to: descriptor)
        // The thread that writes continues when there is room, and the reader gets the line after all.
        var received = 0
        while received < filled + 8,
            let data = try pipe.fileHandleForReading.read(upToCount: min(4096, filled + 8 - received)), !data.isEmpty
        {
            received += data.count
        }
        #expect(received == filled + 8)
    }

    @Test("A pipe without a reader and a closed descriptor are ignored")
    func gone() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        LineOutput.write("stopped\n", to: pipe.fileHandleForWriting.fileDescriptor)
        LineOutput.write("stopped\n", to: -1)
    }
}
