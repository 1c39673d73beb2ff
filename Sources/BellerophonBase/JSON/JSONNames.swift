/// A set of names that are different if their bytes are: `String` takes a letter with its accent for the two scalars that look the same.
struct JSONNames {
    private var names: Set<String> = []
    private var others: Set<[UInt8]> = []

    /// - Returns: false if the name is in the set already.
    mutating func insert(_ name: String) -> Bool {
        name.utf8.allSatisfy { $0 < 0x80 } ? names.insert(name).inserted : others.insert(Array(name.utf8)).inserted
    }
}
