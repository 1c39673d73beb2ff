#if os(Linux)
/// What the transport makes of a connection.
enum ConnectionHabit {
    /// Foundation on Linux keeps a core busy for as long as a request waits on a connection that was opened for it
    /// (measured with Swift 6.3.1: 1.6 s of processor time in 2 s): it goes on looking whether the socket can be written
    /// to, as the transport asked for while it connected. On a connection that has carried a request before it does not.
    static let isFreshOneCostly = true
}
#endif
