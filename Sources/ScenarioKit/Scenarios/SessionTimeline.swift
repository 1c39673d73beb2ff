import Barricade
import Bellerophon
import Foundation

/// What the simulated server replied in this session, as a timeline that repeats it. A value without any I/O.
///
/// Each step counts the checks that its response has answered, and the app's changes of stage are what the timeline expects.
/// `bellerophon verify` therefore finds the same changes, without the time that the tester has taken.
struct SessionTimeline: Sendable {
    /// Nothing is kept beyond this number of steps or changes, so that the file can still be read.
    static let limit = 2000

    private struct Run {
        let response: String
        var checks: Int
    }

    private var runs: [Run] = []
    private var expectations: [Timeline.Expectation] = []
    /// The response to the check under way.
    private var asked: String?

    /// - Parameter response: the simulated server's current response.
    mutating func take(_ report: StatusReport, response: @autoclosure () -> String?) {
        switch report {
        case .checkStarted: asked = response()
        case .checkSucceeded, .checkFailed: answered()
        case .stageChanged(let transition):
            guard case .status = transition.cause, expectations.count < Self.limit else { return }
            expectations.append(.init(from: transition.from.rawValue, to: transition.to.rawValue))
        default: break
        }
    }

    private mutating func answered() {
        guard let response = asked else { return }
        asked = nil
        if runs.last?.response == response {
            runs[runs.count - 1].checks += 1
        } else if runs.count < Self.limit {
            runs.append(Run(response: response, checks: 1))
        }
    }

    /// The session as a scenario file with one timeline.
    /// - Parameters:
    ///   - request: the request for the status, with its responses.
    ///   - date: the time in the names.
    /// - Returns: nil if no check has ended yet.
    func file(of request: ScenarioRequest, date: Date) -> ScenarioFile? {
        let known = runs.filter { request[$0.response] != nil }
        guard !known.isEmpty else { return nil }
        let steps = known.enumerated().map { index, run in
            Timeline.Step(run.response, index == known.count - 1 ? .untilTold : .times(run.checks))
        }
        var used = request
        used.responses = request.responses.filter { response in known.contains { $0.response == response.name } }
        used.defaultResponse = steps.first?.response
        let time = date.formatted(.iso8601)
        let timeline = Timeline(
            "session \(time)", summary: "what was picked in a session", request: request.name, steps: steps,
            expectations: expectations)
        return ScenarioFile(
            title: "Session of \(time)", summary: "The replies of a simulated server, in the order in which they were picked.",
            requests: [used], timelines: [timeline])
    }
}
