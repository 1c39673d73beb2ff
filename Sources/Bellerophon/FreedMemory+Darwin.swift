#if canImport(Darwin)
/// What a flood took and nobody holds any longer.
enum FreedMemory {
    /// The system's allocator gives it back by itself.
    static func giveBack() {}
}
#endif
