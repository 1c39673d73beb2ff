import BellerophonBase
import CNcurses
import Dispatch
import Foundation
import TerminalIO
import TerminalUI

/// The keys, from the terminal itself: the program's standard input may lead elsewhere.
extension TerminalSession {
    /// Delivers keys to ``onKey`` from now on.
    func startReading() {
        wantsKeys = true
        watchInput()
    }

    /// Reads keys while the program or a view wants them.
    func watchInput() {
        guard !isLent, !isClosed, wantsKeys || coverage != .none else { return stopReading() }
        if inputWatch == nil { beginReading() }
    }

    func stopReading() {
        inputWatch?.cancel()
        (inputWatch, onLine) = (nil, nil)
    }

    private func beginReading() {
        let source = terminal.inputDescriptor.readSource(on: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.readInput() } }
        source.resume()
        inputWatch = source
    }

    private func readInput() {
        guard inputWatch != nil else { return }
        switch terminal.read(limit: 4096) {
        case .bytes(let bytes):
            guard let onLine else { return decode(bytes) }
            guard bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return }
            stopReading()
            onLine()
        case .nothing: return
        case .ended:
            stopReading()
            if let onEnd { onEnd() } else { die(by: SIGHUP) }
        }
    }

    private func decode(_ bytes: [UInt8]) {
        deliver(keys.take(bytes))
        scheduleKeyTimer()
    }

    /// Ends what is open after its time: an Escape that was pressed alone, a paste whose end does not come.
    private func scheduleKeyTimer() {
        keyTimer?.cancel()
        keyTimer = nil
        guard keys.isOpen else { return }
        let isAmbiguous = keys.isIncomplete
        keyTimer = Self.timer(after: isAmbiguous ? .milliseconds(25) : .seconds(1)) { [weak self] in
            guard let self else { return }
            keyTimer?.cancel()
            keyTimer = nil
            // What has come meanwhile belongs to it.
            if case .bytes(let bytes) = terminal.read(limit: 4096) { deliver(keys.take(bytes)) }
            deliver(isAmbiguous ? keys.flush() : keys.abandon())
            scheduleKeyTimer()
        }
    }

    private func deliver(_ items: [KeyStream.Item]) {
        for item in items where !isClosed {
            switch item {
            case .key(let key): onKey?(key)
            // On a view a key with Alt has no meaning. Programs expect an Escape before the key.
            case .alt(let key) where coverage == .none:
                onKey?(.escape)
                onKey?(key)
            case .alt: break
            case .paste(let text): if coverage == .none { onPaste?(text) }
            case .reply(let bytes): replied(bytes)
            }
        }
    }

    private func replied(_ bytes: [UInt8]) {
        if let found = background.receive(bytes, at: .now) { look.theme = found.theme }
    }

    /// Takes the terminal's replies out of the input before another program reads them. They end with one that every terminal sends, so
    /// only a terminal that is slow, or none, is waited for, and no longer than two seconds.
    func receiveOutstandingReplies() {
        let end = ContinuousClock.now + .seconds(2)
        while background.isOutstanding(at: .now) {
            let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            var input = pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)
            guard rest > 0, poll(&input, 1, Int32(rest.rounded(.up))) > 0, case .bytes(let bytes) = terminal.read() else {
                return
            }
            for case .reply(let reply) in keys.take(bytes) { _ = background.receive(reply, at: .now) }
        }
    }

    /// Drops what was typed and not read.
    func dropTypedKeys() {
        while case .bytes = terminal.read() {}
        _ = keys.abandon()
    }

    /// Calls the closure when a line has been entered, while the terminal is lent.
    func awaitLine(_ entered: @escaping @MainActor () -> Void) {
        stopReading()
        onLine = entered
        beginReading()
    }
}
