import Foundation

/// A display without a screen (Xvfb) for this test run, for terminals that need one.
///
/// A shell beside it ends it when the test run has ended for any reason.
public final class XDisplay: Sendable {
    /// The display of this run; nil if Xvfb is not installed.
    public static let shared: XDisplay? = {
        guard let server = Products.find("Xvfb") else { return nil }
        do {
            return try XDisplay(server)
        } catch {
            fatalError("Xvfb is installed and does not start: \(error)")
        }
    }()

    /// The value of `DISPLAY`.
    public let name: String
    private let folder: TestFolder
    private let watcher: RunningProgram

    private init(_ server: String) throws {
        folder = try TestFolder()
        let path = folder.url.path
        // Without -noreset the server begins anew when its last client ends, and refuses a client that begins meanwhile.
        let script = """
            '\(server)' -displayfd 3 -screen 0 1024x768x24 -nolisten tcp -noreset 3>'\(path)/number' &
            server=$!
            while kill -0 \(getpid()) 2>/dev/null; do sleep 1; done
            kill $server
            wait $server || true
            rm -rf '\(path)'
            """
        watcher = try RunningProgram("/bin/sh", ["-c", script], home: folder)
        let folder = folder
        let number = try watcher.wait(for: "display") { _ in folder.text("number").flatMap { Int($0) } }
        name = ":\(number)"
    }
}
