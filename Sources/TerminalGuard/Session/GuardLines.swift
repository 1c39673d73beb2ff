import Bellerophon
import BellerophonBase
import BellerophonViews

/// What a guard without a terminal says on standard error in place of views, which can't be shown over its program.
@MainActor
final class GuardLines {
    private let name: String
    private let phrases: OverlayPhrases
    /// The stage that was said last, and whether the program is paused since then.
    private var said: (stage: Stage, isPaused: Bool)?

    init(program name: String, _ phrases: OverlayPhrases) { (self.name, self.phrases) = (name, phrases) }

    /// Says that the status blocks the program, once for each stage.
    func block(_ content: OverlayContent, _ response: GuardResponse) {
        guard said?.stage != content.stage else { return }
        said = (content.stage, response == .pause)
        switch response {
        case .cover, .restart: announce(content, phrases.lines.continues)
        case .pause: announce(content, phrases.lines.pausedWhole)
        case .terminate(let grace): announce(content, phrases.lines.asked.with(["time": grace.briefText]))
        }
    }

    /// Says that the status blocks a paused program no longer.
    func unblock() {
        if said?.isPaused == true { GuardMessage.print(phrases.lines.cleared) }
        said = nil
    }

    /// Says that the start waits for the status.
    func wait(_ content: OverlayContent, atMost time: Duration) {
        announce(content, phrases.lines.waiting.with(["time": time.waitText]))
    }

    func announce(_ change: LocalStopChange) {
        switch change {
        case .stopped(let stop):
            let release = phrases.status.releaseWith.with(["command": stop.release])
            GuardMessage.print("\(OverlayWords.summary(stop, name: name, phrases)) (\(release))")
        case .released(let author): GuardMessage.print(phrases.lines.releasedBy.with(["author": author, "name": name]))
        }
    }

    /// Says which processes run although all are paused or ended.
    /// - Parameter names: as `NAME (PID)`.
    func reportNotHeld(_ names: [String]) {
        guard !names.isEmpty else { return }
        GuardMessage.print("\(phrases.count(names.count, phrases.program.notHeld)): \(names.joined(separator: ", "))")
    }

    private func announce(_ content: OverlayContent, _ effect: String) {
        GuardMessage.print("\(content.summary(name: name)) (\(effect))")
    }
}
