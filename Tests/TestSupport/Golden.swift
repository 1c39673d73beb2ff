import Foundation
import TerminalUI
import Testing

/// Compares a frame with the text file `Goldens/NAME-COLUMNSxROWS.txt` beside the test's source file.
///
/// The files are readable screens. They are written only with `RECORD_GOLDENS=1` in the environment; otherwise a
/// missing file fails the test, and a difference is printed row by row.
public func expectGolden(
    _ frame: Frame, named name: String, glyphs: GlyphStyle = .unicode, testFile: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    expectGolden(
        frame.text(glyphs: glyphs), file: "\(name)-\(frame.size.columns)x\(frame.size.rows).txt", testFile: testFile,
        sourceLocation: sourceLocation)
}

/// Compares a text with a file in `Goldens` beside the test's source file.
public func expectGolden(
    _ text: String, file name: String, testFile: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
    let folder = URL(fileURLWithPath: testFile).deletingLastPathComponent().appendingPathComponent("Goldens")
    let file = folder.appendingPathComponent(name)
    let actual = text + "\n"
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
        recordGolden(actual, at: file, sourceLocation: sourceLocation)
        return
    }
    guard let data = try? Data(contentsOf: file) else {
        Issue.record(
            "no golden \(file.lastPathComponent); look at the frame and record it with RECORD_GOLDENS=1\n\(actual)",
            sourceLocation: sourceLocation)
        return
    }
    let expected = String(decoding: data, as: UTF8.self)
    if expected != actual {
        Issue.record(
            "\(file.lastPathComponent) differs:\n\(goldenDifference(expected: expected, actual: actual))",
            sourceLocation: sourceLocation)
    }
}

/// The rows that differ, `-` as recorded and `+` as drawn, numbered from 1.
public func goldenDifference(expected: String, actual: String) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
    return (0..<max(old.count, new.count)).flatMap { row -> [String] in
        let before = row < old.count ? old[row] : nil, after = row < new.count ? new[row] : nil
        if before == after { return [] }
        return [before.map { "- \(row + 1)│\($0)" }, after.map { "+ \(row + 1)│\($0)" }].compactMap(\.self)
    }.joined(separator: "\n")
}

private func recordGolden(_ text: String, at file: URL, sourceLocation: SourceLocation) {
    do {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    } catch {
        Issue.record("could not record \(file.lastPathComponent): \(error)", sourceLocation: sourceLocation)
    }
}
