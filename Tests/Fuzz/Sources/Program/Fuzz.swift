import Foundation

/// What libFuzzer calls with every input; its runtime has the `main`.
///
/// `FUZZ_SURFACE=status fuzz [options] [corpus folders]`: the surface is named in the environment because libFuzzer
/// starts itself again with its own arguments.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    do throws(Violation) {
        try surface.check(Array(UnsafeBufferPointer(start: bytes, count: size)))
    } catch {
        // What breaks a promise ends the process, which libFuzzer takes for a crash and keeps the input.
        say("\(error)")
        abort()
    }
    return 0
}

private let surface: Surface = {
    if let surface = ProcessInfo.processInfo.environment["FUZZ_SURFACE"].flatMap(Surface.init(rawValue:)) { return surface }
    say("set FUZZ_SURFACE to one of \(Surface.allCases.map(\.rawValue).joined(separator: ", "))")
    exit(64)
}()

private func say(_ text: String) {
    FileHandle.standardError.write(Data("fuzz: \(text)\n".utf8))
}
