import Foundation
import TestSupport
import Testing

/// The fuzzer's checks without libFuzzer: on its corpus, and on random inputs from a seed.
///
/// `BELLEROPHON_FUZZ_CASES=1000000` sets the number of inputs for each surface; `screen` and `input` take a part of it.
@Suite struct SurfaceTests {
    private static let cases = ProcessInfo.processInfo.environment["BELLEROPHON_FUZZ_CASES"].flatMap(Int.init) ?? 2_000

    /// The inputs of a guarded program are whole sessions, which are read several times and byte by byte.
    private static func cases(_ surface: Surface) -> Int {
        switch surface {
        case .screen: cases / 50
        case .input: cases / 4
        case .status, .jws, .sse, .scenario, .manifest, .text, .keys: cases
        }
    }
    private static let corpusFolder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Corpus")

    private static func corpus(_ surface: Surface) throws -> [(name: String, bytes: [UInt8])] {
        let folder = corpusFolder.appendingPathComponent(surface.rawValue)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.lastPathComponent < $1.lastPathComponent }.map {
            ($0.lastPathComponent, Array(try Data(contentsOf: $0)))
        }
    }

    @Test(arguments: Surface.allCases)
    func theCorpusKeepsEveryPromise(surface: Surface) throws {
        let corpus = try Self.corpus(surface)
        #expect(corpus.count >= 4)
        for input in corpus {
            do throws(Violation) {
                try surface.verify(input.bytes)
            } catch {
                Issue.record("\(surface.rawValue)/\(input.name): \(error)")
            }
        }
    }

    @Test(arguments: Surface.allCases)
    func randomInputsKeepEveryPromise(surface: Surface) async throws {
        var inputs = Inputs(
            surface, corpus: try Self.corpus(surface).map(\.bytes), seed: Seed.of("fuzz \(surface.rawValue)", default: 20_260_131)
        )
        var failures = 0
        for number in 0..<Self.cases(surface) where failures < 5 {
            // Tests that wait for servers share the threads.
            if number % 64 == 0 { await Task.yield() }
            let input = inputs.next()
            do throws(Violation) {
                try surface.verify(input)
            } catch {
                failures += 1
                Issue.record("input \(number), \(Data(input).base64EncodedString()): \(error)")
            }
        }
    }
}
