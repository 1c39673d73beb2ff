import Testing

extension TerminalUnderTest {
    /// `bellerophon run` against a server.
    /// - Parameter shell: commands of a shell that then becomes the program.
    public static func running(
        against server: HostileServer, _ arguments: [String] = [], home: TestFolder? = nil, environment: [String: String?] = [:],
        columns: Int = 80, rows: Int = 24, shell: String? = nil
    ) async throws -> TerminalUnderTest {
        let program = ["run", "--status-url", server.address] + arguments
        let words = try shell.map { ["-c", $0 + #"; exec "$0" "$@""#, try Products.path("bellerophon")] + program }
        return try await TerminalUnderTest(
            shell == nil ? "bellerophon" : "/bin/sh", arguments: words ?? program, environment: environment, columns: columns,
            rows: rows, home: home)
    }

    /// Quits the program and checks that the terminal's state is restored.
    public func quits(file: StaticString = #fileID, line: UInt = #line) async throws -> Bool {
        try await quit(file: file, line: line)
        let status = try await waitForExit()
        let state = try await state()
        return status == .exited(0) && state == .givenBack
    }

    /// Waits for the program's end, and expects that it ends like this and that the terminal's state is restored.
    public func expectEnd(_ status: ExitStatus, at location: SourceLocation = #_sourceLocation) async throws {
        #expect(try await waitForExit() == status, sourceLocation: location)
        #expect(try await state() == .givenBack, sourceLocation: location)
    }
}
