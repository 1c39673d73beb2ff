import Barricade
import Bellerophon
import Foundation

/// Real replies as a scenario: exchanges in, a file out that a demonstration plays. A value without any I/O.
///
/// Equal replies in a row are one step of the timeline; a reply that comes back later is the same response again.
/// A 304 counts as the reply that it confirms.
package struct Recording: Sendable {
    /// The names that a recording's request and timeline have.
    package static let requestName = "status"
    package static let timelineName = "recorded"
    /// What is beyond is not recorded any more, so that a file stays one that can be read.
    package static let stepLimit = 2000
    package static let bodyLimit = 8 << 20

    /// Equal answers in a row.
    private struct Run {
        let response: Int
        let first: ContinuousClock.Instant
        var last: ContinuousClock.Instant
    }

    private let title: String
    private let summary: String
    private let rule: RecordedAnswer
    private var reader = StatusReader()
    private var stage = Stage.unknown
    private var responses: [ScenarioResponse] = []
    private var lastDocument: Int?
    private var runs: [Run] = []
    private var expectations: [Timeline.Expectation] = []
    private var bodyBytes = 0
    /// Whether a limit was reached; nothing more is taken then.
    package private(set) var isFull = false

    /// - Parameters:
    ///   - source: where the replies come from, as a person reads it.
    ///   - date: the wall clock at the start.
    ///   - requestHeaders: names of the fields that the requests carry; a reply that echoes one is redacted too.
    ///   - keepsSecrets: whether cookies and the like stay in the file.
    package init(source: String, date: Date, requestHeaders: [String] = [], keepsSecrets: Bool = false) {
        title = RecordingText.line("Recorded from \(source)")
        summary = "Begun at \(date.formatted(.iso8601))."
        rule = RecordedAnswer(alsoSecret: Set(requestHeaders.map { $0.lowercased() }), keepsSecrets: keepsSecrets)
    }

    package var isEmpty: Bool { runs.isEmpty }

    /// Takes an exchange, in the order in which they began.
    package mutating func add(_ exchange: StatusExchange) {
        guard !isFull, let answer = rule.answer(exchange) else { return }
        let result = reader.read(exchange, earlier: reader.known)
        let isConfirmation = (try? result.get())?.receipt?.isNotModified == true
        guard let response = isConfirmation ? lastDocument : place(of: answer, result, exchange) else { return }
        note(result, response)
        time(response, exchange)
        if let last = runs.last, last.response == response {
            runs[runs.count - 1].last = exchange.startedAt
        } else {
            runs.append(Run(response: response, first: exchange.startedAt, last: exchange.startedAt))
        }
    }

    /// The response with that answer, an earlier one or a new one; nil where there is no room for it.
    private mutating func place(
        of answer: ScenarioResponse.Answer, _ result: Result<StatusReply, StatusError>, _ exchange: StatusExchange
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

    private mutating func note(_ result: Result<StatusReply, StatusError>, _ response: Int) {
        guard let document = try? result.get().document else { return }
        lastDocument = response
        guard document.stage != stage else { return }
        expectations.append(.init(from: stage.rawValue, to: document.stage.rawValue))
        stage = document.stage
    }

    /// The shortest latency of a response is its delay, and what others took longer its jitter.
    private mutating func time(_ response: Int, _ exchange: StatusExchange) {
        guard let wait = Self.wait(exchange) else { return }
        let known = responses[response]
        let longest = max(known.delay + known.jitter, wait)
        responses[response].delay = min(known.delay, wait)
        responses[response].jitter = longest - min(known.delay, wait)
    }

    /// Whole milliseconds; nil where the time was ours and not the server's: a deadline, a cap.
    private static func wait(_ exchange: StatusExchange) -> Duration? {
        switch exchange.failure {
        case nil, .redirectRefused, .transport:
            .milliseconds(Int64(min(max(exchange.receipt.latency / .milliseconds(1), 0), 600_000).rounded()))
        default: nil
        }
    }

    // MARK: Names

    private static func words(for result: Result<StatusReply, StatusError>) -> (name: String, summary: String) {
        switch result {
        case .success(let reply): (reply.document.stage.title, RecordingText.line(reply.document.message ?? ""))
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

    /// The recording so far. Its last response goes on until told.
    package var file: ScenarioFile {
        let timeline = Timeline(Self.timelineName, request: Self.requestName, steps: steps, expectations: expectations)
        return ScenarioFile(
            title: title, summary: summary, requests: [ScenarioRequest(Self.requestName, responses: responses)],
            timelines: runs.isEmpty ? [] : [timeline]
        )
    }

    /// A step ends halfway between the last request that it answered and the first of the next: when the server
    /// changed is unknown, and there neither side's request is missed by a little jitter.
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
