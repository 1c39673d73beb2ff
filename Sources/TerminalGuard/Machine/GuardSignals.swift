import Foundation

/// Numbers of signals, and the keys that send them.
enum GuardSignals {
    static let hangUp = SIGHUP
    static let interrupt = SIGINT
    static let quit = SIGQUIT
    static let kill = SIGKILL
    static let terminate = SIGTERM
    /// The signals that ask a process to end.
    static let ending = [hangUp, interrupt, quit, terminate]
    static let wantsInput = SIGTTIN
    static let stop = SIGSTOP
    static let terminalStop = SIGTSTP
    static let continued = SIGCONT
    static let user = [SIGUSR1, SIGUSR2]

    /// The signals of Ctrl-C, Ctrl-\ and Ctrl-Z, by the byte of the key.
    static let ofKeys: [UInt8: Int32] = [0x03: interrupt, 0x1C: quit, 0x1A: terminalStop]
}
