extension String {
    /// A short file name for a text such as a URL: FNV-1a with 64 bits, in hexadecimal.
    ///
    /// It is the same in every run and on every platform. It is not a cryptographic digest: collisions can be constructed.
    package var fingerprint: String {
        let hash = utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
