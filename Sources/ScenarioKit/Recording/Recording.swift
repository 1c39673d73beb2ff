import Barricade
import Bellerophon
import Foundation

/// Real replies as a scenario: exchanges go in, and a file that a demo can play comes out. A value without any I/O.
///
/// Consecutive equal replies are one step of the timeline; a reply that recurs later reuses its response. A 304 counts
/// as the reply that it confirms.
package struct Recording: Sendable {
    /// The names of a recording's request and timeline.
    package static let requestName = "status"
    package static let timelineName = "recorded"
    /// Nothing is recorded beyond these numbers of steps and body bytes, so that the file can still be read.
    package static let stepLimit = 2000
    package static let bodyLimit = 8 << 20

    /// Consecutive equal responses.
    private struct Run {
        let response: Int
        let first: ContinuousClock.Instant
        var last: ContinuousClock.Instant
    }

    /// A valid reply, and the stage that it meant for the app.
    private struct Status {
        let reply: StatusReply
        let stage: Stage
    }

    private let title: String
    private let summary: String
    private let rule: RecordedAnswer
    private let app: AppFacts
    private var reader = StatusReader()
    private var stage = Stage.unknown
    private var responses: [ScenarioResponse] = []
    private var lastDocument: Int?
    private var runs: [Run] = []
    private var expectations: [Timeline.Expectation] = []
    private var bodyBytes = 0
    /// Whether a limit was reached; later exchanges are ignored.
    package private(set) var isFull = false

    /// - Parameters:
    ///   - source: the origin of the replies, for people.
    ///   - app: what is known of the app that the replies are for.
    ///   - date: the wall clock at the start.
    ///   - requestHeaders: names of the fields that the requests carry; a reply that echoes one is redacted too.
    ///   - keepsSecrets: whether cookies and similar fields stay in the file.
    package init(
        source: String, app: AppFacts, date: Date, requestHeaders: [String] = [], keepsSecrets: Bool = false
    ) {
        self.app = app
        title = RecordingText.line("Recorded from \(source)")
        summary = "Begun at \(date.formatted(.iso8601))."
        rule = RecordedAnswer(alsoSecret: Set(requestHeaders.map { $0.lowercased() }), keepsSecrets: keepsSecrets)
    }

    package var isEmpty: Bool { runs.isEmpty }

    /// Adds an exchange. Exchanges are expected in the order in which they began.
    /// - Parameter date: the wall clock at its end.
    package mutating func add(_ exchange: StatusExchange, at date: Date) {
        guard !isFull, let answer = rule.answer(exchange) else { return }
        let result = reader.read(exchange, earlier: reader.known, at: date).map { reply in
            Status(reply: reply, stage: reply.document.verdict(for: app, at: reply.planDate(at: date)).stage)
        }
        let isConfirmation = (try? result.get())?.reply.metadata?.isNotModified == true
        guard let response = isConfirmation ? lastDocument : place(of: answer, result, exchange) else { return }
        record(result, response)
        time(response, exchange)
        if let last = runs.last, last.response == response {
            runs[runs.count - 1].last = exchange.startedAt
        } else {
            runs.append(Run(response: response, first: exchange.startedAt, last: exchange.startedAt))
        }
    }

    /// The index of an earlier or new response with that answer; nil if there is no room for it.
    private mutating func place(
        of answer: ScenarioResponse.Answer, _ result: Result<Status, StatusError>, _ exchange: StatusExchange
    ) -> Int? {
        let earlier = responses.firstIndex { RecordedAnswer.isSame($0.answer, answer) }
        isFull =
            runs.count >= Self.stepLimit
            || earlier == nil && bodyBytes + exchange.body.count > Self.bodyLimit
        if isFull { return nil }
        if let earlier { return earlier }
        bodyBytes += exchange.body.count
        let (name, summary) = Self.words(for: result)
        responses.append(
            ScenarioResponse(unused(name), summary: summary, answer: answer, delay: Self.wait(exchange) ?? .zero)
        )
        return responses.count - 1
    }

    private mutating func record(_ result: Result<Status, StatusError>, _ response: Int) {
        guard let next = try? result.get().stage else { return }
        lastDocument = response
        guard next != stage else { return }
        expectations.append(.init(from: stage.rawValue, to: next.rawValue))
        stage = next
    }

    /// The delay of a response is its shortest latency; the jitter is the difference to its longest.
    private mutating func time(_ response: Int, _ exchange: StatusExchange) {
        guard let wait = Self.wait(exchange) else { return }
        let known = responses[response]
        let longest = max(known.delay + known.jitter, wait)
        responses[response].delay = min(known.delay, wait)
        responses[response].jitter = longest - min(known.delay, wait)
    }

    /// The latency in whole milliseconds; nil if it was limited by the client, such as by a deadline or a cap.
    private static func wait(_ exchange: StatusExchange) -> Duration? {
        switch exchange.failure {
        case nil, .redirectRefused, .transport:
            .milliseconds(Int64(min(max(exchange.metadata.latency / .milliseconds(1), 0), 600_000).rounded()))
        default: nil
        }
    }

    // MARK: Names

    private static func words(for result: Result<Status, StatusError>) -> (name: String, summary: String) {
        switch result {
        case .success(let status): (status.stage.title, RecordingText.line(status.reply.document.message ?? ""))
        case .failure(let error): (error.shortText, RecordingText.line(error.description))
        }
    }

    private func unused(_ name: String) -> String {
        let taken = Set(responses.map(\.name))
        var number = 1
        while taken.contains(number == 1 ? name : "\(name) \(number)") { number += 1 }
        return number == 1 ? name : "\(name) \(number)"
    }

    // MARK: The file

    /// The recording so far. Its last step has no end of its own.
    package var file: ScenarioFile {
        let timeline = Timeline(Self.timelineName, request: Self.requestName, steps: steps, expectations: expectations)
        return ScenarioFile(
            title: title, summary: summary, requests: [ScenarioRequest(Self.requestName, responses: responses)],
            timelines: runs.isEmpty ? [] : [timeline]
        )
    }

    /// A step ends halfway between its last request and the first request of the next step. The time of the server's change
    /// is unknown, and at this point a little jitter moves no request into the wrong step.
    private var steps: [Timeline.Step] {
        runs.indices.map { index in
            let name = responses[runs[index].response].name
            guard index + 1 < runs.count else { return Timeline.Step(name) }
            return Timeline.Step(name, .lasting(Self.length(begin(of: index).duration(to: begin(of: index + 1)))))
        }
    }

    private func begin(of index: Int) -> ContinuousClock.Instant {
        guard index > 0 else { return runs[0].first }
        let last = runs[index - 1].last
        return last.advanced(by: last.duration(to: runs[index].first) / 2)
    }

    private static func length(_ time: Duration) -> Duration {
        .milliseconds(Int64(min(max(time / .milliseconds(1), 1), 31_536_000_000).rounded()))
    }
}
