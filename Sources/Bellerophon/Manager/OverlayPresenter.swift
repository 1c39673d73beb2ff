import StatusModel

/// Shows the view of the current stage in the window, and updates it at each full second of the countdown.
@MainActor
final class OverlayPresenter {
    /// Called when the view must be updated.
    var onTick: @MainActor () -> Void = {}

    private let config: BellerophonConfig
    private let clock: any ManagerClock
    /// The stage that the window was last updated with.
    private var shownStage = Stage.unknown
    private var ticker: ScheduledCall?

    init(config: BellerophonConfig, clock: any ManagerClock) {
        self.config = config
        self.clock = clock
    }

    /// Presents, updates or dismisses the view.
    /// - Parameters:
    ///   - untilTick: the time until the view must be updated.
    ///   - content: called only if a view is shown.
    func show(_ stage: Stage, untilTick: Duration, content: () -> OverlayContent) {
        ticker?.cancel()
        ticker = nil
        let before = shownStage
        // Set first, because the window may call back.
        shownStage = stage
        guard let window = config.window else { return }
        guard let event = config.display(of: stage).cover else {
            if config.display(of: before).takesScreen { window.dismiss() }
            return
        }
        ticker = clock.schedule(after: untilTick) { [weak self] in self?.onTick() }
        if stage == before {
            window.update(content())
        } else {
            window.present(event.view, content: content())
        }
    }
}
