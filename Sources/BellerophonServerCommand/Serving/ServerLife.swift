import BellerophonBase
import BellerophonServer
import Logging

/// The lifecycle of a server process: it handles signals, and notifies the service manager and operators.
struct ServerLife {
    let server: StatusServer
    let lock: ServerLock
    let notifier: ServiceNotifier
    let level: LogLevel
    let logger: Logger
    let program: ProgramStart
    /// Reads the settings again, from the same sources as at the start.
    let settled: () throws(ConfigurationError) -> ServerConfiguration

    /// Handles signals until the server has ended.
    func run(_ signals: ServerSignals) async {
        var handover: Task<Void, Never>?
        var isRelieved = false
        for await event in signals.events {
            switch event {
            case .stop where isRelieved: server.limitEnd()
            case .reload where isRelieved, .restart where isRelieved: break
            case .stop:
                // The outcome still arrives as an event, which is not read any more.
                handover?.cancel()
                await handover?.value
                notifier.send(.stopping)
                logger.notice("stopping", metadata: ["limit": "\(server.shutdownTime)"])
                await server.stop()
                return logger.notice("stopped")
            case .reload where handover != nil:
                logger.warning("nothing is reloaded: a restart is under way, and the new process reads everything")
            case .reload: await reload()
            case .restart where handover != nil: logger.warning("a restart is under way already")
            case .restart: handover = start(signals)
            case .relieved(true):
                // Transfers go on for as long as their clients read, or until this process is told to stop.
                logger.notice("another process took over; ending what is left")
                isRelieved = true
                let (server, add) = (server, signals.add)
                Task {
                    await server.stop(isLimited: false)
                    add(.ended)
                }
            case .relieved(false): handover = nil
            case .ended: return logger.notice("ended")
            }
        }
    }

    // MARK: SIGHUP

    private func reload() async {
        notifier.send(.reloading)
        do {
            let newer = try settled()
            let paths = try await server.reload(newer)
            lock.report(.reload, isSuccess: true, logReload(needingRestart: paths))
            level.set(newer.logLevel)
        } catch {
            logger.error("nothing was reloaded; the server continues unchanged", metadata: ["problem": "\(error)"])
            lock.report(.reload, isSuccess: false, "\(error)")
        }
        notifier.send(.ready)
    }

    private func logReload(needingRestart settings: [String]) -> String {
        var metadata: Logger.Metadata = [:]
        if let expiry = server.certificateExpiry { metadata["certificateExpires"] = "\(TimeText.text(expiry))" }
        logger.notice("the settings, certificates and keys were reloaded", metadata: metadata)
        guard !settings.isEmpty else { return "" }
        let paths = settings.joined(separator: ", ")
        logger.warning(
            "these settings count after a restart only",
            metadata: [
                "settings": "\(paths)", "do": "bellerophon-server restart",
            ])
        return "after a restart only: \(paths)"
    }

    // MARK: SIGUSR2

    /// Starts the successor, and reports the outcome as an event.
    private func start(_ signals: ServerSignals) -> Task<Void, Never> {
        notifier.send(.reloading)
        logger.notice("starting another process that takes over", metadata: ["program": "\(program.path)"])
        let (server, lock, program) = (server, lock, program)
        let (notifier, logger, add) = (notifier, logger, signals.add)
        return Task {
            do {
                let process = try await server.handOver(to: program, lock)
                logger.notice("another process took over", metadata: ["process": "\(process)"])
                add(.relieved(true))
            } catch {
                logger.error("the restart failed; the server continues unchanged", metadata: ["problem": "\(error)"])
                lock.report(.restart, isSuccess: false, "\(error)")
                notifier.send(.ready)
                add(.relieved(false))
            }
        }
    }
}
