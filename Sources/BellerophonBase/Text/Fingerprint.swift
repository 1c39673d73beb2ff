extension String {
    /// A short file name for a text such as a URL: the fingerprint of its bytes.
    package var fingerprint: String { utf8.fingerprint }
}

extension Sequence<UInt8> {
    /// FNV-1a with 64 bits, in hexadecimal. It changes with every single byte that is changed.
    ///
    /// It is the same in every run and on every platform. It is not a cryptographic digest: collisions can be constructed.
    package var fingerprint: String {
        String(reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}
