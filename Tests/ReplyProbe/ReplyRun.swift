import Bellerophon
import CloudBox
import Foundation
import Synchronization
import TestSupport

/// Performs several cases concurrently, each with its own request.
final class ReplyRun: Sendable {
    private let options: ProbeOptions
    private let server: HostileServer
    private let shapes: [ReplyShape]
    private let cases: [ReplyCase]
    private let longest = Mutex(Duration.zero)
    private let believed = Mutex(0)
    private let next = Atomic(0)
    private let folder: TestFolder

    /// The deadline of an exchange. Many cases reach it; a sound reply must not, however slow the machine is.
    private let deadline: Duration
    private static let width = 16
    /// The resource that a sync installs, and its SHA-256.
    private static let resource = ("two", "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3")

    init(_ options: ProbeOptions) throws {
        self.options = options
        deadline = options.kind == .sound ? .seconds(600) : .milliseconds(500)
        folder = try TestFolder()
        let body = Self.body(options)
        shapes = ReplyShape.all(body.text, type: body.type)
        switch options.kind {
        case .sound: cases = ReplyCase.sound(shapes)
        case .cuts:
            let all = ReplyCase.cuts(shapes)
            cases = stride(from: options.from, to: all.count, by: options.every).map { all[$0] }
        case .mutations:
            let (seed, shapes) = (options.seed, shapes)
            cases = (options.from..<(options.from + options.count)).map { ReplyCase.mutation($0, seed: seed, of: shapes) }
        }
        server = try HostileServer()
        server.answer { [cases, shapes] request in
            if request.path.hasSuffix("/sound") { return .wire([.send(shapes[0].bytes)]) }
            let parts = request.path.split(separator: "/")
            // A manifest that names itself as its file must not find one.
            guard let number = parts.first.flatMap({ Int($0) }), number < cases.count, parts.count == 1 || parts.last == "a"
            else {
                return .failure(404)
            }
            return cases[number].behaviour
        }
    }

    private static func body(_ options: ProbeOptions) -> (text: String, type: String) {
        let status = #"{"apiInactive":\#(options.isKilled),"forceUpdate":false,"retryInterval":7,"userMessage":"Known."}"#
        return switch options.client {
        case .poll: (status, "application/json")
        case .stream: ("retry: 1000\n: beat\nevent: status\nid: 1\ndata: \(status)\n\n", "text/event-stream")
        case .sync: (#"{"v":2,"url":"/file","sha256":"\#(resource.1)"}"#, "application/json")
        }
    }

    func perform() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.width {
                group.addTask {
                    while true {
                        let number = self.next.wrappingAdd(1, ordering: .relaxed).oldValue
                        guard number < self.cases.count else { return }
                        await self.perform(number)
                    }
                }
            }
        }
        say("done", "\(cases.count)")
        say("believed", "\(believed.withLock { $0 })")
        say("longest", "\(longest.withLock { $0 } / .milliseconds(1))")
    }

    private func say(_ subject: String, _ text: String) {
        FileHandle.standardOutput.write(Data("\(subject): \(text)\n".utf8))
    }

    private func perform(_ number: Int) async {
        let start = ContinuousClock.now
        let stages: [String]
        switch options.client {
        case .poll: stages = await poll(number)
        case .stream: stages = await listen(number)
        case .sync: stages = await sync(number)
        }
        let excess = start.duration(to: .now) - deadline
        longest.withLock { $0 = max($0, excess) }
        believed.withLock { $0 += stages.isEmpty ? 0 : 1 }
        for stage in stages where stage != options.stage { say("violation", "\(cases[number]) led to \(stage)") }
        let mustBeBelieved = options.kind == .sound && !cases[number].shape.isError
        if mustBeBelieved, stages.isEmpty { say("violation", "\(cases[number]) was not believed") }
        if options.kind == .sound, cases[number].shape.isError, !stages.isEmpty {
            say("violation", "\(cases[number]) was believed")
        }
    }

    // MARK: Clients

    /// The stage after a check; empty if it failed.
    private func poll(_ number: Int) async -> [String] {
        let source = URLSessionStatusSource(url: server.url("/\(number)"), limits: .init(deadline: deadline))
        return await withCheckedContinuation { continuation in
            _ = source.fetchStatus { result in
                continuation.resume(returning: (try? result.get()).map { [$0.document.stage.rawValue] } ?? [])
            }
        }
    }

    /// The stages of a stream's events until its end.
    private func listen(_ number: Int) async -> [String] {
        let stream = URLSessionStatusStream(url: server.url("/\(number)"))
        let stages = Mutex<[String]>([])
        let ended = Watched(false)
        let connection = stream.connect(lastEventID: nil) { signal in
            switch signal {
            case .event(let event) where event.name == StreamEvent.statusName:
                if case .success(let reply) = StatusReader().read(event) {
                    stages.withLock { $0.append(reply.document.stage.rawValue) }
                }
            case .closed: ended.update { $0 = true }
            default: break
            }
        }
        // A stream has no deadline of its own.
        _ = try? await ended.wait(for: "end", within: deadline) { $0 ? true : nil }
        connection.cancel()
        _ = try? await ended.wait(for: "end") { $0 ? true : nil }
        return stages.withLock { $0 }
    }

    /// The result of a sync whose manifest or file is the case, as stages: the known content stands for the known
    /// stage.
    private func sync(_ number: Int) async -> [String] {
        let path = folder.path("\(number)")
        let base = server.url("/\(number)")
        var configuration = CloudBoxConfiguration(
            folder: URL(fileURLWithPath: path), servers: [base], bundled: .embedded(["a": .init(version: 1, text: "one")]),
            metaPath: "meta", limits: .init(silence: deadline, resumptions: 0)
        )
        configuration.headers = [:]
        let box = CloudBoxClient(configuration)
        guard (try? box.register("a")) != nil else { return ["unregistered"] }
        let outcome = await box.sync("a")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = (try? box.data(for: "a")).map { String(decoding: $0, as: UTF8.self) }
        // The file of an accepted manifest does not exist (404), so nothing may be installed.
        if text != "one" { return ["installed \(text ?? "nothing")"] }
        if case .failed(let error) = outcome, error.reason == .httpStatus(404) { return [options.stage] }
        return []
    }
}
