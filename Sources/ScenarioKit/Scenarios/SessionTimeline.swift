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
        let setting: ScenarioSetting
        var checks: Int
    }

    /// A check under way.
    private struct Asked {
        let response: String
        let world: SimulatedWorld
        let date: Date
    }

    private var runs: [Run] = []
    private var expectations: [Timeline.Expectation] = []
    /// The response to the check under way.
    private var asked: Asked?
    /// Who the app was and what time it was at the last check.
    private var world = SimulatedWorld()
    /// Whether a rule has begun or ended since the last check, because of the time.
    private var hasChangedByTime = false

    /// - Parameters:
    ///   - response: the simulated server's current response.
    ///   - world: who the app is, and its clock.
    ///   - date: the simulated time.
    mutating func follow(
        _ report: StatusReport, response: @autoclosure () -> String?, world: @autoclosure () -> SimulatedWorld = SimulatedWorld(),
        date: @autoclosure () -> Date = Date()
    ) {
        switch report {
        case .checkStarted: asked = response().map { Asked(response: $0, world: world(), date: date()) }
        case .checkSucceeded, .checkFailed: answered()
        case .stageChanged(let transition):
            switch transition.cause {
            case .status: break
            case .facts: changed(world(), at: date())
            case .rule: hasChangedByTime = true
            case .restored, .bundled, .policy, .dismissed: return
            }
            guard expectations.count < Self.limit else { return }
            expectations.append(.init(from: transition.from.rawValue, to: transition.to.rawValue))
        default: break
        }
    }

    /// The app has become another one, which has changed its stage without a check. It is a step of its own, with the former response.
    private mutating func changed(_ present: SimulatedWorld, at date: Date) {
        if let asked { self.asked = Asked(response: asked.response, world: present, date: date) }
        guard let response = runs.last?.response, runs.count < Self.limit else { return }
        let setting = setting(Asked(response: response, world: present, date: date))
        guard !setting.isEmpty else { return }
        world = present
        hasChangedByTime = false
        runs.append(Run(response: response, setting: setting, checks: 1))
    }

    private mutating func answered() {
        guard let asked else { return }
        self.asked = nil
        let setting = setting(asked)
        world = asked.world
        hasChangedByTime = false
        if runs.last?.response == asked.response, setting.isEmpty {
            runs[runs.count - 1].checks += 1
        } else if runs.count < Self.limit {
            runs.append(Run(response: asked.response, setting: setting, checks: 1))
        }
    }

    /// What differs from the last check: the app, or a time that does not follow from it.
    private func setting(_ asked: Asked) -> ScenarioSetting {
        var setting = ScenarioSetting()
        if asked.world.client != world.client { setting.client = asked.world.client }
        let isMoved = asked.world.clock != world.clock || hasChangedByTime
        if asked.world.clock.isDriven, isMoved { setting.time = SimulatedTime(asked.date) }
        return setting
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
            var step = Timeline.Step(run.response, index == known.count - 1 ? .untilTold : .times(run.checks))
            step.setting = run.setting
            return step
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
