#if os(Linux)
import CCurl
import Foundation
import Synchronization

/// Drives all transfers of the process on one thread, which never ends.
///
/// Connections are kept between requests and shared by all sessions, one request at a time (HTTP/1.1): a stream never shares
/// one with the checks that watch over it. Other threads never wait for the loop.
///
/// Unchecked because only the loop's thread uses the transfers, their connections and the multi handle, except for `ccurl_wake`,
/// which libcurl allows on any thread (curl_multi_wakeup(3)).
final class CurlLoop: @unchecked Sendable {
    private static let loop = Mutex<CurlLoop?>(nil)

    /// Nil if libcurl can't be started, for example without free file descriptors; the next call tries again.
    static var shared: CurlLoop? {
        loop.withLock { loop in
            if loop == nil { loop = CurlLoop() }
            return loop
        }
    }

    private enum Command: Sendable {
        case start(CurlTransfer)
        case deliver(CurlTransfer)
        case end(CurlTransfer)
    }

    private let multi: UnsafeMutableRawPointer
    /// The transfers in the multi handle, by the address of their context.
    private var running: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private let connections = IdleConnections()
    private let commands = Mutex<[Command]>([])

    private init?() {
        guard ccurl_prepare(), let handle = ccurl_multi_new() else { return nil }
        multi = handle
        let thread = Thread { [self] in run() }
        thread.name = "bellerophon.http"
        thread.start()
    }

    func start(_ transfer: CurlTransfer) {
        transfer.onTaken { [weak self, weak transfer] in
            if let transfer { self?.send(.deliver(transfer)) }
        }
        send(.start(transfer))
    }

    /// Removes a transfer and closes its connection, unless the response is complete. If the exchange was given up, no idle
    /// connection on the same path is used again.
    func end(_ transfer: CurlTransfer) { send(.end(transfer)) }

    private func send(_ command: Command) {
        commands.withLock { $0.append(command) }
        ccurl_wake(multi)
    }

    // MARK: The loop's thread

    private func run() {
        ccurl_block_signals()
        while true {
            for command in takeCommands() { perform(command) }
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            for transfer in running.values where transfer.hasNews { transfer.deliver() }
            finishEnded()
            if !commands.withLock({ $0.isEmpty }) { continue }
            ccurl_wait(multi)
        }
    }

    private func takeCommands() -> [Command] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }

    private func perform(_ command: Command) {
        switch command {
        case .start(let transfer):
            if let easy = transfer.open(connections) { add(transfer, easy) }
        case .deliver(let transfer):
            if running[transfer.context] != nil { transfer.deliver() }
        case .end(let transfer):
            guard running[transfer.context] != nil else { return }
            if transfer.isGivenUp { transfer.leaveConnection(failed: true) }
            remove(transfer)
        }
    }

    private func add(_ transfer: CurlTransfer, _ easy: UnsafeMutableRawPointer) {
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
            transfer.finish(CURLE_OUT_OF_MEMORY)
            return transfer.close()
        }
        running[transfer.context] = transfer
    }

    private func finishEnded() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let context = ccurl_message_context(message),
                let transfer = running[context]
            else { continue }
            let result = ccurl_message_result(message)
            if transfer.needsReconnection {
                restart(transfer)
            } else {
                transfer.leaveConnection(failed: result != CURLE_OK)
                transfer.finish(result)
                remove(transfer)
            }
        }
    }

    /// Starts a transfer again that has sent nothing yet.
    private func restart(_ transfer: CurlTransfer) {
        guard let easy = transfer.easy else { return }
        running[transfer.context] = nil
        curl_multi_remove_handle(multi, easy)
        transfer.reconnect()
        add(transfer, easy)
    }

    private func remove(_ transfer: CurlTransfer) {
        guard running.removeValue(forKey: transfer.context) != nil, let easy = transfer.easy else { return }
        curl_multi_remove_handle(multi, easy)
        transfer.close()
    }
}
#endif
