/// A version as rules compare it: `v1.5.2-rc.1+build`.
///
/// An optional `v`, one to four numeric parts of any length, an optional prerelease after `-`, and build metadata after `+`, which is
/// ignored. Missing parts are zero, and leading zeros are allowed, as in calendar versions. The order is that of SemVer 2.0, section 11:
/// a prerelease is lower than its release. At most 64 bytes.
package struct AppVersion: Hashable, Sendable {
    /// The most bytes of a version.
    package static let limit = 64

    /// The numeric parts. The first four numbers of nearly every version fit here, so that a comparison costs nothing.
    private let parts: SIMD4<UInt64>
    /// The parts as numbers of any length; empty if all of them are in ``parts``.
    private let longParts: [Number]
    private let prerelease: [Identifier]

    /// The lowest version of all: `0-0`.
    package static let lowest = AppVersion(Array(repeating: .zero, count: 4), [.number(.zero)])

    /// The next version in the order: no version is between both. It can be longer than ``limit``.
    var successor: AppVersion {
        let numbers = numbers
        return prerelease.isEmpty
            ? AppVersion(numbers.dropLast() + [numbers[3].successor], [.number(.zero)])
            : AppVersion(numbers, prerelease + [.number(.zero)])
    }

    private init(_ numbers: [Number], _ prerelease: [Identifier]) {
        let values = numbers.compactMap(\.value)
        parts = values.count == 4 ? SIMD4(values) : .zero
        longParts = values.count == 4 ? [] : numbers
        self.prerelease = prerelease
    }

    /// A number of any length, without leading zeros.
    private struct Number: Hashable, Comparable {
        let digits: ArraySlice<UInt8>

        init(_ digits: ArraySlice<UInt8>) { self.digits = digits.drop { $0 == UInt8(ascii: "0") } }

        /// The number; nil if it is too large.
        var value: UInt64? { digits.isEmpty ? 0 : UInt64(String(decoding: digits, as: UTF8.self)) }

        static let zero = Number([])

        var successor: Number {
            guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "9") }) else {
                return Number([UInt8(ascii: "1")] + digits.map { _ in UInt8(ascii: "0") })
            }
            return Number(digits[..<last] + [digits[last] + 1] + digits[(last + 1)...].map { _ in UInt8(ascii: "0") })
        }

        static func < (one: Number, two: Number) -> Bool {
            one.digits.count == two.digits.count
                ? one.digits.lexicographicallyPrecedes(two.digits) : one.digits.count < two.digits.count
        }
    }

    private enum Identifier: Hashable, Comparable {
        // The order of the cases is the order of precedence: numbers come before texts.
        case number(Number)
        case text(ArraySlice<UInt8>)

        static func < (one: Identifier, two: Identifier) -> Bool {
            switch (one, two) {
            case (.number(let one), .number(let two)): one < two
            case (.text(let one), .text(let two)): one.lexicographicallyPrecedes(two)
            case (.number, .text): true
            case (.text, .number): false
            }
        }
    }

    /// Reads a version; nil if the text is none.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard rest.count <= Self.limit else { return nil }
        if rest.first == UInt8(ascii: "v") { rest.removeFirst() }
        if let plus = rest.firstIndex(of: UInt8(ascii: "+")) {
            guard Self.identifiers(rest[(plus + 1)...]) != nil else { return nil }
            rest = rest[..<plus]
        }
        var prerelease: [ArraySlice<UInt8>] = []
        if let hyphen = rest.firstIndex(of: UInt8(ascii: "-")) {
            guard let identifiers = Self.identifiers(rest[(hyphen + 1)...]) else { return nil }
            prerelease = identifiers
            rest = rest[..<hyphen]
        }
        let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count), parts.allSatisfy(Self.isNumber) else { return nil }
        self.init(
            (0..<4).map { Number($0 < parts.count ? parts[$0] : []) },
            prerelease.map { Self.isNumber($0) ? .number(Number($0)) : .text($0) })
    }

    private var numbers: [Number] {
        longParts.isEmpty ? (0..<4).map { Number(ArraySlice("\(parts[$0])".utf8)) } : longParts
    }

    private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(\.isDigit) }

    /// Parts between dots, none of them empty; nil if there is another character.
    private static func identifiers(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") } }
            ? parts : nil
    }
}

extension AppVersion: Comparable {
    package static func < (one: AppVersion, two: AppVersion) -> Bool {
        if one.longParts.isEmpty, two.longParts.isEmpty {
            for index in 0..<4 where one.parts[index] != two.parts[index] { return one.parts[index] < two.parts[index] }
        } else {
            let (numbers, others) = (one.numbers, two.numbers)
            if numbers != others { return numbers.lexicographicallyPrecedes(others) }
        }
        if one.prerelease.isEmpty || two.prerelease.isEmpty { return !one.prerelease.isEmpty && two.prerelease.isEmpty }
        return one.prerelease.lexicographicallyPrecedes(two.prerelease)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
