import Foundation
import Synchronization

/// Who the app of a barricade is said to be, and its clock.
package struct SimulatedWorld: Equatable, Sendable {
    /// All changes since the start: what the app says of itself in place of what it is.
    package internal(set) var client = ClientChange()
    package internal(set) var clock = DrivenClock()

    package init() {}

    /// The time at which something happens.
    struct Moment {
        /// On the clock of the timelines.
        let now: Duration
        /// The real time.
        let wall: Date
    }

    mutating func reset() {
        client = ClientChange()
        clock.reset()
    }

    /// Takes over what a response states that somebody picks.
    mutating func adopt(_ setting: ScenarioSetting, at moment: Moment) {
        client.merge(setting.client)
        if let time = setting.time { clock.set(time.date, at: moment) }
    }

    // MARK: Timelines

    /// Follows a timeline that has begun, or has gone to another step.
    /// - Parameter before: the position before; nil if the timeline has begun.
    mutating func follow(_ player: TimelinePlayer, since before: TimelinePlayer.Place?, at moment: Moment) {
        let timeline = player.timeline
        guard timeline.hasSettings, let place = player.place, place != before else { return }
        let steps = timeline.steps.prefix(place.step + 1)
        // The time that the present step has taken already, because its beginning is noticed later.
        let elapsed = (player.position?.elapsed ?? .zero) / player.speed
        if let before, before.round == place.round, before.step < place.step {
            var time: SimulatedTime?
            for step in steps.dropFirst(before.step + 1) {
                client.merge(step.setting.client)
                time = step.setting.time ?? time
            }
            guard let time else { return }
            let date = time.date.addingTimeInterval(elapsed / .seconds(1))
            // Somebody may have moved the time further by hand.
            guard date > clock.date(at: moment) || !clock.isDriven else { return }
            return clock.set(date, at: moment)
        }
        let settings = [timeline.setting] + steps.map(\.setting)
        if timeline.statesClient {
            client = ClientChange()
            for setting in settings { client.merge(setting.client) }
        }
        if let time = settings.compactMap(\.time).last {
            clock.set(time.date.addingTimeInterval(elapsed / .seconds(1)), at: moment)
        }
    }
}

extension Timeline {
    /// Whether the timeline states who the app is, or what time it is.
    package var hasSettings: Bool { !setting.isEmpty || steps.contains { !$0.setting.isEmpty } }

    fileprivate var statesClient: Bool { !setting.client.isEmpty || steps.contains { !$0.setting.client.isEmpty } }
}

extension TimelinePlayer {
    /// The round, from 1, and the step, from 0.
    struct Place: Equatable {
        let round: Int
        let step: Int
    }

    /// Nil only for a timeline without steps.
    var place: Place? { position.map { Place(round: round, step: $0.stepIndex) } }
}

// MARK: The barricade

extension BarricadeServer {
    /// The present time of the simulated server: the real one, unless a scenario, a timeline or a person has set another.
    package var date: Date {
        let moment = moment
        return content.withLock { $0.world.clock.date(at: moment) }
    }

    /// Who the app is said to be, and the clock.
    package var world: SimulatedWorld { content.withLock { $0.world } }

    /// Changes what the simulated app says of itself.
    package func change(_ client: ClientChange) { change { $0.world.client.merge(client) } }

    /// Moves the simulated time forward, or back.
    package func moveTime(by span: Duration) {
        let moment = moment
        change { $0.world.clock.move(by: span, at: moment) }
    }

    /// Sets the simulated time.
    package func set(_ time: SimulatedTime) {
        let moment = moment
        change { $0.world.clock.set(time.date, at: moment) }
    }

    /// Makes the app and the clock the real ones again.
    package func resetWorld() { change { $0.world.reset() } }

    var moment: SimulatedWorld.Moment { .init(now: now, wall: wallClock()) }

    /// A reply as a server sends it now: with a `Date`, unless it has one.
    package func dated(_ reply: Response.Reply) -> Response.Reply {
        var reply = reply
        reply.headers = reply.headers.adding("Date", SimulatedTime(date).headerText)
        return reply
    }
}
