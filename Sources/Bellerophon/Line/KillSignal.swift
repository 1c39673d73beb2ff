/// Tells a synchronous body that it has been killed, so that a loop can stop by itself. May be used on any thread.
public final class KillSignal: Sendable {
    let sent = Promise<KillNotice>()

    init() {}

    /// Whether the status has killed the program. Stays true: the process ends even if the status clears within the grace period.
    public var isKilled: Bool { notice != nil }

    /// What the status said; nil while the program may run.
    public var notice: KillNotice? { sent.value }
}
