/// Numbers of signals, and the keys that send them.
enum GuardSignals {
    static let hangUp: Int32 = 1
    static let interrupt: Int32 = 2
    static let quit: Int32 = 3
    static let kill: Int32 = 9
    static let terminate: Int32 = 15
    /// The signals that ask a process to end.
    static let ending = [hangUp, interrupt, quit, terminate]
    static let wantsInput: Int32 = 21
    #if canImport(Darwin)
    static let stop: Int32 = 17
    static let terminalStop: Int32 = 18
    static let continued: Int32 = 19
    static let user: [Int32] = [30, 31]
    #else
    static let stop: Int32 = 19
    static let terminalStop: Int32 = 20
    static let continued: Int32 = 18
    static let user: [Int32] = [10, 12]
    #endif

    /// The signals of Ctrl-C, Ctrl-\ and Ctrl-Z, by the byte of the key.
    static let ofKeys: [UInt8: Int32] = [0x03: interrupt, 0x1C: quit, 0x1A: terminalStop]
}
