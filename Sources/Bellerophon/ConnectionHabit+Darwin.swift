#if canImport(Darwin)
/// What the transport makes of a connection.
enum ConnectionHabit {
    static let isFreshOneCostly = false
}
#endif
