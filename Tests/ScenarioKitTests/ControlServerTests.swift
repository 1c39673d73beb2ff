import Bellerophon
import BellerophonBase
import Foundation
import LocalControl
import TestSupport
import Testing

@testable import ScenarioKit

/// The control socket of a running program: access and limits.
@MainActor
struct ControlServerTests {
    private let home: TestFolder
    private let folder: SocketFolder

    init() throws {
        home = try TestFolder()
        folder = SocketFolder(path: home.path("run"))
    }

    /// The main actor replies, and other tests use it too.
    private nonisolated let patience = TestSupport.patience

    private nonisolated static let state = ControlState(
        pid: 7, stage: "active", checking: false, speed: 1, requests: [], client: nobody, time: "2026-12-05T21:55:00Z",
        isTimeDriven: false, timelines: ["story"])

    private nonisolated static let nobody = ControlState.Client(
        version: nil, osVersion: nil, installID: nil, facts: [:], isChanged: false)

    private func server(limits: LineServer.Limits = .init(), clock: any ManagerClock = ManualClock()) throws -> LineServer {
        try ControlServer.start(in: [folder], pid: 4711, limits: limits, clock: clock) { request in
            request == .status ? .done(Self.state) : .refused("no")
        }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    /// Sends bytes on its own connection, off the main actor, and returns all bytes received until the end.
    private func talk(to path: String, _ parts: [[UInt8]], half: Bool = false) async throws -> String {
        try await onOwnThread { [patience] in
            let connection = try UnixSocket.connected(to: path, limit: patience)
            for part in parts { _ = UnixSocket.send(part[...], to: connection) }
            if half { shutdown(connection.number, Int32(SHUT_WR)) }
            var bytes: [UInt8] = []
            while case .bytes(let more) = UnixSocket.receive(from: connection) {
                bytes += more
                if bytes.last == 0x0A, !half, parts.count == 1 { break }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    // MARK: Access

    @Test func onlyItsOwnerMayReachIt() throws {
        let server = try server()
        defer { server.close() }
        #expect(server.path == folder.path + "/4711.sock")
        #expect(try mode(folder.path) == 0o700)
        #expect(try mode(server.path) == 0o600)
    }

    @Test func aFolderThatOthersMayUseIsClosedOrRefused() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        #expect(folder.entries() == [])
        let server = try server()
        defer { server.close() }
        #expect(try mode(folder.path) == 0o700)
        try FileManager.default.createSymbolicLink(atPath: home.path("link"), withDestinationPath: folder.path)
        let link = SocketFolder(path: home.path("link"))
        let error = SocketError.folder(path: link.path, reason: "other users can use it, or it does not belong to you")
        #expect(throws: error) { try link.prepare() }
    }

    @Test func aPathThatTheSystemCannotHoldIsNamed() throws {
        let long = SocketFolder(path: home.path(String(repeating: "x", count: 120)))
        let error = #expect(throws: SocketError.self) {
            try ControlServer.start(in: [long], pid: 1) { _ in .refused("") }
        }
        #expect("\(try #require(error))".contains("more than the system's \(UnixSocket.pathLimit)"))
        let server = try ControlServer.start(in: [long, folder], pid: 1) { _ in .refused("") }
        #expect(server.path == folder.path + "/1.sock")
        server.close()
    }

    @Test func socketsOfProgramsThatAreGoneAreTakenAway() async throws {
        try folder.prepare()
        let path = folder.path + "/99.sock"
        _ = try UnixSocket.listening(at: path)
        #expect(folder.entries().map(\.pid) == [99])
        // A process that another test starts has every descriptor of this one for a moment, this socket too.
        let error = try await eventually("refusal") { () -> ControlError? in
            do throws(ControlError) {
                _ = try ControlClient(in: [folder])
                return nil
            } catch {
                return error
            }
        }
        #expect(error == .noneRuns)
        #expect(folder.entries() == [])
    }

    /// Like a program stopped by Ctrl-Z: it accepts no connections, and its backlog is full.
    @Test func aStoppedProgramHoldsNobodyUp() async throws {
        try folder.prepare()
        let path = folder.path + "/4711.sock"
        let stopped = try UnixSocket.listening(at: path)
        let waiting = try (0..<9).map { _ in try UnixSocket.connected(to: path, limit: .seconds(1)) }
        let (isAbandoned, error) = try await onOwnThread {
            let error = #expect(throws: SocketError.self) { try UnixSocket.connected(to: path, limit: .seconds(1)) }
            return (UnixSocket.isAbandoned(path), error)
        }
        #expect(!isAbandoned)
        #expect(error == .noAnswer(path: path))
        withExtendedLifetime((stopped, waiting)) {}
    }

    @Test func twoAtOnceDoNotCollide() throws {
        let first = try server(), second = try server()
        defer {
            first.close()
            second.close()
        }
        #expect(second.path == folder.path + "/4711-2.sock")
        #expect(throws: ControlError.severalRun([4711, 4711])) { try ControlClient(in: [folder]) }
        let third = try ControlServer.start(in: [folder], pid: 5) { _ in .refused("") }
        defer { third.close() }
        #expect(try ControlClient(in: [folder], pid: 5).path == third.path)
        #expect(throws: ControlError.noSuchProcess(6, running: [4711, 4711, 5])) { try ControlClient(in: [folder], pid: 6) }
    }

    @Test func itsSocketGoesWithIt() throws {
        let server = try server()
        server.close()
        #expect(!FileManager.default.fileExists(atPath: server.path))
    }

    // MARK: Limits

    @Test func aRequestIsAnswered() async throws {
        let server = try server()
        defer { server.close() }
        var client = try ControlClient(in: [folder])
        client.patience = patience
        let state = try await onOwnThread { [client] in try client.ask(.status) }
        #expect(state == Self.state)
        await #expect(throws: ControlError.refused("no")) {
            try await onOwnThread { [client] in try client.ask(.tell(.speed(2))) }
        }
    }

    /// What a running app replies, one state after the other; the last one repeats.
    private func client(replying states: (stage: String, isChecking: Bool)...) throws -> (LineServer, ControlClient) {
        var rest = states[...]
        let server = try ControlServer.start(in: [folder], pid: 4711) { _ in
            let (stage, isChecking) = rest.count > 1 ? rest.removeFirst() : rest.first!
            return .done(
                ControlState(
                    pid: 7, stage: stage, checking: isChecking, speed: 1, requests: [], client: Self.nobody, time: "",
                    isTimeDriven: false, timelines: []))
        }
        var client = try ControlClient(in: [folder])
        client.patience = patience
        return (server, client)
    }

    @Test func aReplyToACommandTellsTheStageAfterIt() async throws {
        let (server, client) = try client(replying: ("active", true), ("active", true), ("killed", false))
        defer { server.close() }
        let state = try await onOwnThread {
            try client.ask(.tell(.speed(2)), awaiting: nil, within: .zero, checkTime: .seconds(600))
        }
        #expect(state.stage == "killed")
    }

    @Test func aCheckThatHangsIsNotAwaitedForEver() async throws {
        let (server, client) = try client(replying: ("active", true))
        defer { server.close() }
        let state = try await onOwnThread {
            try client.ask(.tell(.speed(2)), awaiting: nil, within: .zero, checkTime: .zero)
        }
        #expect(state.checking)
    }

    @Test func aStageIsAwaited() async throws {
        let (server, client) = try client(replying: ("active", false), ("active", false), ("killed", false))
        defer { server.close() }
        let state = try await onOwnThread { try client.ask(.status, awaiting: .killed, within: .seconds(600)) }
        #expect(state.stage == "killed")
    }

    @Test func aStageThatDoesNotComeIsAnError() async throws {
        let (server, client) = try client(replying: ("active", false))
        defer { server.close() }
        let error = ControlError.otherStage("active", awaited: "killed", after: .milliseconds(20))
        #expect(error.description == "the stage is live, not paused, after 20 ms")
        await #expect(throws: error) {
            try await onOwnThread { try client.ask(.status, awaiting: .killed, within: .milliseconds(20)) }
        }
    }

    @Test("Several requests on one connection are answered in order")
    func requestsAreAnsweredInOrder() async throws {
        let server = try server()
        defer { server.close() }
        let text = try await talk(
            to: server.path, [Array("{\"command\":\"status\"}\n{\"command\":\"step\"}\n{\"com".utf8)], half: true)
        let replies = text.split(separator: "\n")
        #expect(replies.count == 2)
        #expect(replies.first?.contains(#""ok":true"#) == true)
        #expect(replies.last == #"{"error":"no","ok":false}"#)
    }

    @Test func aLineInPiecesIsOneLine() async throws {
        let server = try server()
        defer { server.close() }
        let pieces = ["{\"comm", "and\":\"st", "atus\"}\n"].map { Array($0.utf8) }
        let path = server.path
        let text = try await onOwnThread { [patience] in
            let connection = try UnixSocket.connected(to: path, limit: patience)
            for piece in pieces { _ = UnixSocket.send(piece[...], to: connection) }
            guard case .bytes(let bytes) = UnixSocket.receive(from: connection) else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(text.contains(#""ok":true"#))
    }

    @Test func garbageIsRefusedAndTheNextRequestAnswered() async throws {
        let server = try server()
        defer { server.close() }
        let text = try await talk(to: server.path, [Array("GET / HTTP/1.1\r\n{\"command\":\"status\"}\n".utf8)], half: true)
        let replies = text.split(separator: "\n")
        #expect(replies.first?.contains("expected a JSON object") == true)
        #expect(replies.last?.contains(#""ok":true"#) == true)
    }

    @Test func anEndlessLineIsCutOff() async throws {
        let server = try server(limits: .init(line: 1000))
        defer { server.close() }
        let text = try await talk(to: server.path, [[UInt8](repeating: 0x78, count: 3000)], half: true)
        #expect(text == #"{"error":"the line is longer than 1000 bytes","ok":false}"# + "\n")
        var client = try ControlClient(in: [folder])
        client.patience = patience
        let state = try await onOwnThread { [client] in try client.ask(.status) }
        #expect(state == Self.state)
    }

    @Test("A client that sends nothing is disconnected after its time limit")
    func silentClientIsDisconnected() async throws {
        let clock = ManualClock()
        let server = try server(limits: .init(idle: .seconds(10)), clock: clock)
        defer { server.close() }
        async let silent = talk(to: server.path, [Array("{\"command\"".utf8), []])
        while clock.pendingWaits.isEmpty { await Task.yield() }
        clock.advance(by: .milliseconds(9_999))
        #expect(clock.pendingWaits.count == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await silent == "")
    }

    @Test("A client that does not read its reply does not block others")
    func slowReaderBlocksNobody() async throws {
        // More than the buffers of a socket hold.
        let size = 1 << 19
        let big = ControlState(
            pid: 1, stage: "active", checking: false, speed: 1, requests: [], client: Self.nobody, time: "", isTimeDriven: false,
            timelines: [String(repeating: "x", count: size)])
        let clock = ManualClock()
        let server = try ControlServer.start(in: [folder], pid: 4711, clock: clock) { _ in .done(big) }
        defer { server.close() }
        let path = server.path
        let lazy = try await onOwnThread { [patience] in
            let connection = try UnixSocket.connected(to: path, limit: patience)
            _ = UnixSocket.send(Array("{\"command\":\"status\"}\n".utf8)[...], to: connection)
            return connection
        }
        var client = ControlClient(path: path)
        client.patience = patience
        let other = try await onOwnThread { [client] in try client.ask(.status) }
        #expect(other.timelines.first?.count == size)
        clock.advance(by: .seconds(10))
        #expect(clock.pendingWaits.isEmpty)
        withExtendedLifetime(lazy) {}
    }
}
