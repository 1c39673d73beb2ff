import BellerophonStore
import Foundation
import TestSupport
import Testing

@testable import BellerophonServer

/// The guide for operators: its commands do what it says.
struct OperationsTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/operations.md")

    /// A fenced block of the page.
    private struct Block {
        let language: String
        let text: String
    }

    private static func blocks() throws -> [Block] {
        var blocks: [Block] = []
        var open: (language: String, lines: [String])?
        for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                if let done = open { blocks.append(Block(language: done.language, text: done.lines.joined(separator: "\n"))) }
                open = open == nil ? (String(line.dropFirst(3)), []) : nil
            } else {
                open?.lines.append(line)
            }
        }
        return blocks
    }

    /// A bare machine has libcurl alone.
    private static let hasCurl = ["/usr/bin/curl", "/usr/local/bin/curl"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// A shell of a person who follows the page.
    private struct Shell {
        let home: TestFolder
        let folder: URL
        var address = ""

        func run(_ line: String) async throws -> CommandResult {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let products = URL(fileURLWithPath: try Products.path("bellerophon-server")).deletingLastPathComponent().path
            return try await runCommand(
                "/bin/sh", ["-c", "cd '\(home.url.path)' && \(line)"],
                environment: [
                    "PATH": "\(products):\(path)", "BELLEROPHON_SERVER_STORE": folder.path, "STATUS": address, "TZ": "UTC",
                ], home: home)
        }
    }

    /// Without what differs between two runs: times, the address and the widths of columns.
    private static func comparable(_ text: String) -> String {
        text.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/, with: "TIME").replacing(/https?:\/\/[^ )]+/, with: "URL")
            .replacing(/[ ]+/, with: " ").replacing(/[ ]+\n/, with: "\n")
    }

    @Test func everyCommandDoesWhatThePageSays() async throws {
        let home = try TestFolder()
        let folder = home.url.appendingPathComponent("store")
        defer { if let mark = ServerLock.mark(folder) { kill(mark.process, SIGKILL) } }
        var shell = Shell(home: home, folder: folder)
        var server: RunningProgram?
        var (output, lines) = ("", 0)
        for block in try Self.blocks() {
            switch block.language {
            case "json": try home.write(block.text.replacing(": 8080", with: ": 0"), to: "server.json")
            case "sh":
                output = ""
                for line in block.text.components(separatedBy: "\n") where !line.isEmpty {
                    if line.hasPrefix("curl "), !Self.hasCurl { continue }
                    let result = try await shell.run(line)
                    #expect(result.status == .exited(0), "\(line)\n\(result.standardOutput)\(result.standardError)")
                    output += result.standardOutput
                    lines += 1
                }
                if server == nil { server = try await serve(&shell) }
            case "text":
                let shown = Self.comparable(block.text)
                #expect(Self.comparable(output).contains(shown), "\(block.text)\n---\n\(output)")
            default: Issue.record("a block of \(block.language) is not known here")
            }
        }
        #expect(lines > 30)
        #expect(home.text("pages.jsonl")?.contains("kill of default/main by bob, proposed by ada") == true)
        let store = try Store(folder: folder)
        #expect(try store.status(.main)?.isBlocking == false && store.verifyChain().problem == nil)
    }

    private func serve(_ shell: inout Shell) async throws -> RunningProgram {
        let home = shell.home
        let program = try RunningProgram(
            "/bin/sh",
            ["-c", "cd '\(home.url.path)' && exec '\(try Products.path("bellerophon-server"))' serve --config server.json"],
            home: home, environment: ["BELLEROPHON_SERVER_STORE": shell.folder.path])
        shell.address = try await onOwnThread {
            try program.wait(for: "address") { log in
                log.firstMatch(of: /address=(http:\/\/127\.0\.0\.1:\d+)/).map { String($0.1) }
            }
        }
        return program
    }

    @Test func everyFigureOfThePageIsThere() async throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let names = Set(page.matches(of: /`(bellerophon_[a-z_]+)/).map { String($0.1) }.filter { !$0.contains("shared_store") })
        #expect(names.count >= 6)
        try await LiveServer.run { live in
            // Some are there after the first look at the store.
            try await eventually("the figures \(names)") {
                let figures = try await live.talk { client in
                    return try client.answer(to: "/metrics", "Connection: close").body
                }
                return names.allSatisfy { figures.contains("\n\($0)") } ? () : nil
            }
        }
    }
}
