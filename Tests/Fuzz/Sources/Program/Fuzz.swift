import Foundation

/// The function that libFuzzer calls with every input; libFuzzer's runtime contains `main`.
///
/// `FUZZ_SURFACE=status fuzz [options] [corpus folders]`: the environment selects the surface because libFuzzer
/// restarts itself with its own arguments.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    do throws(Violation) {
        try surface.verify(Array(UnsafeBufferPointer(start: bytes, count: size)))
    } catch {
        // A violation ends the process, which libFuzzer treats as a crash, so it keeps the input.
        printError("\(error)")
        abort()
    }
    return 0
}

private let surface: Surface = {
    if let surface = ProcessInfo.processInfo.environment["FUZZ_SURFACE"].flatMap(Surface.init(rawValue:)) { return surface }
    printError("set FUZZ_SURFACE to one of \(Surface.allCases.map(\.rawValue).joined(separator: ", "))")
    exit(64)
}()

private func printError(_ text: String) {
    FileHandle.standardError.write(Data("fuzz: \(text)\n".utf8))
}
