import Foundation
import TestSupport
import Testing

/// A person's session with `bellerophon run` while a server pushes statuses.
@Suite("Sessions: push")
struct PushSessionTests {
    /// A status and its publication date, which is the same however it is received.
    private struct Published {
        let document: String
        /// In milliseconds since 1970.
        var date = Int64(Date().timeIntervalSince1970 * 1000)

        static var live: Published { Published(document: json()) }
        static var paused: Published { Published(document: json(inactive: true, message: #""Back at 14:30 UTC.""#)) }

        static func json(inactive: Bool = false, message: String = "null") -> String {
            #"{"apiInactive":\#(inactive),"forceUpdate":false,"retryInterval":600,"userMessage":\#(message)}"#
        }

        func event(id: Int) -> String {
            "event: status\nid: \(id)\npublished: \(date)\ndata: \(document)\n\n"
        }
    }

    /// A server whose replies name its stream and request a check every ten minutes.
    private func server(_ feed: ServerFeed, status: Watched<Published>) throws -> HostileServer {
        let server = try HostileServer()
        server.answer { request in
            guard request.path != "/events" else { return .stream(feed) }
            let status = status.value
            return .json(
                status.document, headers: ["Bellerophon-Events": "/events", "Bellerophon-Published": "\(status.date)"])
        }
        return server
    }

    @Test func aPushedPauseCoversAndItsEndUncovers() async throws {
        let status = Watched(Published.live)
        let feed = ServerFeed("retry: 60000\n" + status.value.event(id: 1))
        let server = try server(feed, status: status)
        let home = try TestFolder()
        let terminal = try await TerminalUnderTest.running(against: server, ["--journal", home.path("j.jsonl")], home: home)
        try await terminal.wait(for: "⇅ stream")

        func publish(_ next: Published, id: Int) {
            status.update { $0 = next }
            feed.send(next.event(id: id))
        }
        publish(.paused, id: 2)
        try await terminal.wait(for: "SERVICE PAUSED", "Back at 14:30 UTC.", "⇅ listening")
        publish(.live, id: 3)
        try await terminal.wait(until: "the dashboard is whole again") {
            $0.contains("● LIVE") && $0.contains("publish → paint") && !$0.contains("PAUSED")
        }

        feed.end()
        try await terminal.wait(until: "the fallen stream and the check after it show, and the app still runs") {
            $0.contains("⇅ down") && $0.contains("check after stream loss") && $0.contains("● LIVE")
                && server.requests.count >= 3
        }
        #expect(try await terminal.quits())
        // The stream is opened again after a random time.
        #expect(server.requests.prefix(3).map(\.path) == ["/status", "/events", "/status"])

        let lines = (home.text("j.jsonl") ?? "").split(separator: "\n")
        let pushed = lines.filter { $0.contains(#""transport":"stream""#) }
        #expect(pushed.count == 2 && pushed.allSatisfy { $0.contains(#""publishToPaintMilliseconds":"#) })
    }

    /// Alternating statuses, ten every 5 ms, until the closure returns false; then the last one.
    private func flood(
        _ feed: ServerFeed, last: Published = .paused, while goesOn: @escaping @Sendable (_ sent: Int) -> Bool
    ) {
        Thread.detachNewThread {
            var id = 1
            while goesOn(id) {
                for _ in 0..<5 {
                    let pause = Published(document: Published.json(inactive: true, message: "\"Pause \(id)\""))
                    feed.send(pause.event(id: id + 1) + Published.live.event(id: id + 2))
                    id += 2
                }
                usleep(5000)
            }
            feed.send(last.event(id: id + 1))
        }
    }

    @Test("A flood of statuses is painted at a limited rate, and the last status is shown")
    func floodIsPaintedAtLimitedRate() async throws {
        let status = Watched(Published.live)
        let feed = ServerFeed(status.value.event(id: 1))
        let server = try server(feed, status: status)
        let home = try TestFolder()
        let terminal = try await TerminalUnderTest.running(against: server, ["--journal", home.path("j.jsonl")], home: home)
        try await terminal.wait(for: "⇅ stream")
        // If the machine is too slow for the flood, the client closes the stream and polls. It then receives the last
        // status, which is dated after the flood.
        var last = Published.paused
        last.date += 50_000
        status.update { [last] in $0 = last }
        let before = terminal.output.utf8.count
        flood(feed, last: last) { $0 < 3000 }
        try await terminal.wait(for: "Back at 14:30 UTC.")
        #expect(terminal.output.utf8.count - before < 3_000_000, "a paint of each is more than 15 MB")
        #expect(try await terminal.quits())
        let changes = (home.text("j.jsonl") ?? "").split(separator: "\n").filter { $0.contains(#""to":"killed""#) }
        // If the stream was closed while a flooding status was shown, the last one only changes the message.
        #expect(changes.count > 100 && changes.contains { $0.contains(#""paintMilliseconds":"#) })
    }

    @Test func aKeyIsAnsweredWhileAFloodGoesOn() async throws {
        let status = Watched(Published.live)
        let feed = ServerFeed(status.value.event(id: 1))
        let server = try server(feed, status: status)
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "⇅ stream")
        let (hasEnded, sent) = (Watched(false), Watched(0))
        defer { hasEnded.update { $0 = true } }
        flood(feed) { count in
            sent.update { $0 = count }
            return !hasEnded.value && count < 2_000_000
        }
        _ = try await sent.wait(for: "two thousand statuses") { $0 > 2000 ? () : nil }
        #expect(try await terminal.quits(), "the flood goes on meanwhile")
    }

    @Test("With --transport stream nothing is polled")
    func streamTransportPollsNothing() async throws {
        let status = Watched(Published.paused)
        let feed = ServerFeed(status.value.event(id: 1))
        let server = try server(feed, status: status)
        let terminal = try await TerminalUnderTest.running(against: server, ["--transport", "stream"])
        try await terminal.wait(for: "SERVICE PAUSED")
        #expect(server.requests.map(\.path) == ["/events"])
        feed.send(Published.live.event(id: 2))
        try await terminal.wait(for: "⇅ stream")
        #expect(try await terminal.quits())
    }

    @Test func memoryStaysFlatOverALongStream() async throws {
        let status = Watched(Published.live)
        let feed = ServerFeed(status.value.event(id: 1))
        let server = try server(feed, status: status)
        let terminal = try await TerminalUnderTest.running(against: server)
        try await terminal.wait(for: "⇅ stream")
        // Events with a name that the program does not know. As many comment lines would end the stream.
        let event = "event: other\ndata: " + String(repeating: "x", count: 9979) + "\n\n"
        let megabyte = Array(String(repeating: event, count: 100).utf8)
        var resident: [Int] = []
        for round in 1...12 {
            // As much as may wait for the program, then until it has read that.
            for part in (round * 4 - 3)...(round * 4) {
                for _ in 0..<2 { feed.send(megabyte) }
                feed.send("event: resources\ndata: {\"name\":\"part\",\"v\":\(part)}\n\n")
                try await terminal.wait(for: "resource part version \(part)")
            }
            resident.append(try residentKilobytes(terminal.processIdentifier))
        }
        // A program that keeps what it hears grows by all of it. What the allocator holds back depends on the machine.
        #expect(resident[11] - resident[1] < 60_000, "80 MB were heard: \(resident)")
        #expect(try await terminal.quits())
    }

    /// Zero on systems without `/proc`.
    private func residentKilobytes(_ pid: pid_t) throws -> Int {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return 0 }
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    @Test(arguments: [
        (
            ["run", "--status-url", "http://127.0.0.1:1/", "--transport", "push"],
            #"--transport: expected one of "auto", "poll", "stream", found "push""#
        ),
        (
            ["run", "--status-url", "http://127.0.0.1:1/", "--events-url", "ftp://x"],
            "--events-url: expected an http or https URL"
        ),
        (["run", "--status-url", "http://127.0.0.1:1/", "--transport", "stream", "--record", "r.json"], "use auto or poll"),
    ])
    func aWrongTransportIsNamed(arguments: [String], words: String) async throws {
        let home = try TestFolder()
        let result = try await bellerophon(arguments, home: home)
        #expect(result.status == .exited(64))
        #expect(result.standardError.contains(words), "\(result.standardError)")
        #expect(home.text("r.json") == nil)
    }
}
