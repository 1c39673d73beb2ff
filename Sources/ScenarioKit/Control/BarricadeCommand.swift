import Barricade

/// A command of a person or a script for the simulated server.
package enum BarricadeCommand: Equatable, Sendable {
    /// Selects a response. A timeline for the same requests is held at its current step.
    case select(request: String, response: String)
    /// Plays a timeline from its start, or continues it if it is held.
    case play(String)
    /// Continues the held timeline of a request; nil for those of all requests.
    case resume(request: String?)
    case pause(request: String?)
    case step(request: String?)
    /// Goes to a step, counted from 0.
    case jump(to: Int, request: String?)
    /// Sets how many times as fast as the clock timelines run.
    case speed(Int)
    /// Ends the timeline and selects the default response; nil for all requests.
    case reset(request: String?)
    /// Changes what the simulated app says of itself.
    case client(ClientChange)
    /// Moves the simulated time; backward, the app forgets what it knows of the time, as after a start.
    case moveTime(Duration)
    /// Sets the simulated time.
    case setTime(SimulatedTime)
    /// Makes the app and the time the real ones again.
    case resetClient

    /// Whether the simulated content server may offer other content afterwards.
    package var changesContent: Bool {
        switch self {
        case .select(let request, _): request == SimulatedContent.requestName
        case .reset(let request): request == nil || request == SimulatedContent.requestName
        case .play, .resume, .pause, .step, .jump, .speed, .client, .moveTime, .setTime, .resetClient: false
        }
    }
}
