/// What a person or a script asks of the simulated server.
package enum BarricadeCommand: Equatable, Sendable {
    /// Lets a response answer. A timeline for the same requests is held where it stands.
    case select(request: String, response: String)
    /// Plays a timeline: from its start, or on from where it was held.
    case play(String)
    /// Goes on with the timelines that are held; nil for those of all requests.
    case resume(request: String?)
    case pause(request: String?)
    case step(request: String?)
    /// Goes to a step, counted from 0.
    case jump(to: Int, request: String?)
    /// How much faster than the clock timelines run.
    case speed(Int)
    /// Ends the timeline and lets the default answer; nil for all requests.
    case reset(request: String?)

    /// Whether the simulated content server may have other content afterwards.
    var changesContent: Bool {
        switch self {
        case .select(let request, _): request == SimulatedContent.requestName
        case .reset(let request): request == nil || request == SimulatedContent.requestName
        case .play, .resume, .pause, .step, .jump, .speed: false
        }
    }
}
