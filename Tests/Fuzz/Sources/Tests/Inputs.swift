import Foundation
import TestSupport

/// Random inputs for a surface from a seed: documents with errors, texts of relevant characters, and noise.
struct Inputs {
    private let surface: Surface
    private let corpus: [[UInt8]]
    private var random: SplitMix64
    private var terminal: TerminalInputs

    init(_ surface: Surface, corpus: [[UInt8]], seed: UInt64) {
        (self.surface, self.corpus, random) = (surface, corpus, SplitMix64(seed: seed))
        terminal = TerminalInputs(corpus: corpus, seed: seed)
    }

    mutating func next() -> [UInt8] {
        switch surface {
        case .text: text()
        case .keys where Bool.random(using: &random): keys()
        case .status where Bool.random(using: &random): status()
        case .screen where number(below: 4) > 0: terminal.output()
        case .input where number(below: 4) > 0: terminal.input()
        case .jws where Bool.random(using: &random): [1, UInt8(number(below: 256))] + status()
        default: mutant()
        }
    }

    private mutating func number(below limit: Int) -> Int {
        Int(random.next() % UInt64(max(limit, 1)))
    }

    private mutating func pick<Item>(_ items: [Item]) -> Item {
        items[number(below: items.count)]
    }

    // MARK: Texts

    /// Scalars that the sanitiser treats specially, with equal probability for each kind.
    private static let alphabet: [[ClosedRange<UInt32>]] = [
        [0x61...0x7A], [0x00...0x1F, 0x7F...0x9F], [0x0A...0x0A, 0x0D...0x0D, 0x85...0x85, 0x2028...0x2029], [0x300...0x36F],
        [0x200B...0x200F, 0x2060...0x2064], [0x200D...0x200D], [0xFE0E...0xFE0F], [0x1F3FB...0x1F3FF], [0x1F1E6...0x1F1FF],
        [0x1F468...0x1F469, 0x2764...0x2764, 0x1F525...0x1F525, 0x2194...0x2199], [0x30...0x39, 0x23...0x23],
        [0x202A...0x202E, 0x2066...0x2069],
        [0xE0020...0xE007F], [0x1100...0x11FF], [0xAC00...0xD7A3], [0x900...0x97F],
        [0x9BE...0x9D7, 0xB3E...0xB57, 0x1000...0x109F],
        [0xC0...0x233], [0x1E00...0x1FFF], [0x0...0x10FFFF], [0x308...0x308, 0x301...0x301, 0x323...0x323, 0x75...0x75],
        [0x20...0x20],
        [0x338...0x338, 0x3C...0x3E, 0x2190...0x21FF], [0x600...0x6FF], [0xE00...0xEFF], [0x1D150...0x1D1FF], [0x11000...0x114FF],
    ]

    private mutating func scalar() -> Unicode.Scalar {
        let range = pick(pick(Self.alphabet))
        return Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "\u{FFFD}"
    }

    private mutating func text() -> [UInt8] {
        // Three in four inputs have no limit, since the order of the steps matters most then.
        var bytes: [UInt8] = [UInt8(number(below: 2))]
        bytes += number(below: 4) > 0 ? [11, 5] : [UInt8(number(below: 12)), UInt8(number(below: 6))]
        for _ in 0..<number(below: 24) {
            let scalar = scalar()
            for _ in 0...(number(below: 8) == 0 ? number(below: 40) : 0) { bytes += String(scalar).utf8 }
        }
        if number(below: 16) == 0 { bytes.append(UInt8(number(below: 256))) }
        return bytes
    }

    private mutating func keys() -> [UInt8] {
        let parts: [[UInt8]] = [
            [0x1B], [0x1B, 0x5B], [0x1B, 0x4F], [0xC0], [0xC1], [0xC2], [0xC3], [0x71], [0x31, 0x3B, 0x35], [0x7E], [0x0D],
            [0xE0],
        ]
        return (0..<number(below: 20)).flatMap { _ in pick(parts) }
    }

    // MARK: Documents

    private static let names = [
        #""apiInactive""#, #""forceUpdate""#, #""retryInterval""#, #""userMessage""#, #""requiredVersion""#, #""updateURL""#,
        #""api\u0049nactive""#, #""x""#, #""""#, #""\ud800""#,
    ]
    private static let values = [
        "true", "false", "null", "5", "-0", "1e999", "-1e999", "1e-999", "9007199254740993", "01", "1.", "NaN", #""""#,
        #""Back at noon.""#,
        #""https://example.com/get""#, #""https://a@b.example""#, #""\ud83d\ude00""#, #""\ud83d""#, #""\u001b[2J""#, "[]", "{}",
        "[1,]",
        #"{"apiInactive":true}"#, "\"\t\"", "1,", "",
    ]

    private mutating func status() -> [UInt8] {
        var members = ["\"apiInactive\":\(Bool.random(using: &random))", "\"forceUpdate\":false", "\"retryInterval\":5"]
        for _ in 0..<number(below: 4) { members.append("\(pick(Self.names)):\(pick(Self.values))") }
        members.shuffle(using: &random)
        if number(below: 6) == 0 { members.removeLast() }
        let json = Array("{\(members.joined(separator: pick([",", ", ", ",\n", ",,"])))}".utf8)
        return number(below: 4) == 0 ? mutated(json) : json
    }

    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null", "true", "1e999", "-", "0", "\n", "\r", "\r\n",
        "\n\n", "data:", "id:", "event:",
        "retry: 1", ":", "\u{FEFF}", "\u{1B}", "\u{202E}", "//", "http://", "%00", "@", "\u{0}",
    ].map { Array($0.utf8) }

    private mutating func mutant() -> [UInt8] {
        if number(below: 20) == 0 { return (0..<number(below: 64)).map { _ in UInt8(number(below: 256)) } }
        return mutated(pick(corpus))
    }

    /// A few mutations: a bit, a byte, a token, a removed part, a repeated part, a part of another input.
    private mutating func mutated(_ input: [UInt8]) -> [UInt8] {
        var bytes = input
        for _ in 0...number(below: 5) {
            let place = number(below: bytes.count + 1), end = min(bytes.count, place + number(below: 12))
            switch number(below: 6) {
            case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(number(below: 8))
            case 1: bytes.insert(UInt8(number(below: 256)), at: place)
            case 2: bytes.insert(contentsOf: pick(Self.tokens), at: place)
            case 3: bytes.removeSubrange(place..<end)
            case 4: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
            default: bytes = Array(bytes[..<place]) + pick(corpus).dropFirst(place)
            }
        }
        return bytes
    }
}
