import Foundation

/// The program that opens web addresses.
package struct Browser: Equatable, Sendable {
    private let command: [String]

    /// The command's name, for display.
    package var name: String { command.first.map { ($0 as NSString).lastPathComponent } ?? "" }

    /// Finds the browser; nil if there is none, or no display to show it on.
    /// - Parameter environment: `BROWSER` (the first of its list), `DISPLAY`, `WAYLAND_DISPLAY` and `PATH` are read.
    package init?(environment: [String: String]) {
        if let first = environment["BROWSER"]?.split(separator: ":").first {
            command = first.split(separator: " ").map(String.init)
        } else {
            command = Self.systemOpener(environment).map { [$0] } ?? []
        }
        if command.isEmpty { return nil }
    }

    private static func systemOpener(_ environment: [String: String]) -> String? {
        let path = environment["PATH"] ?? "/usr/bin:/bin"
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        return opener(hasDisplay: hasDisplay).flatMap { ProgramSearch.first($0, in: path) }
    }

    #if canImport(Darwin)
    private static func opener(hasDisplay: Bool) -> String? { "open" }
    #else
    /// The system's opener. Without a display xdg-open would start a text browser, which has no terminal.
    private static func opener(hasDisplay: Bool) -> String? { hasDisplay ? "xdg-open" : nil }
    #endif

    /// Opens an address with the browser of this process's environment, in a separate process without access to the terminal.
    /// - Parameter address: an `http` or `https` address, checked by the caller. It is passed as one argument, without
    ///   a shell.
    /// - Returns: the browser's name; nil if there is none, or if it could not be started.
    package static func open(_ address: String) -> String? {
        guard let browser = Browser(environment: ProcessInfo.processInfo.environment) else { return nil }
        var arguments = browser.command.map { $0.replacingOccurrences(of: "%s", with: address) }
        if !browser.command.contains(where: { $0.contains("%s") }) { arguments.append(address) }
        var start = ChildStart(arguments)
        start.group = .session
        start.descriptors = (0..<3).map { .init(nil, as: $0) }
        guard let child = try? ChildProcess(start) else { return nil }
        Thread.detachNewThread { child.reap() }
        return browser.name
    }
}
