#if canImport(Darwin)
/// The library that does TLS for the system's transport.
package enum TLSLibrary {
    /// The system's own never takes itself apart.
    package static func keep() {}
}
#endif
