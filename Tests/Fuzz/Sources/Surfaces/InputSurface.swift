import TerminalUI

@testable import TerminalGuard
@testable import TerminalIO

/// Input from a terminal is divided between program and cover in the same way however it arrives, nothing typed on the cover
/// reaches the program, and nothing typed into the program is lost.
enum InputSurface {
    static func verify(_ input: [UInt8]) throws(Violation) {
        var choices = Choices(input)
        let limit = choices.next(of: [InputSorter.longestReply, 64, 80, 100])
        let awaitsReport = choices.next(of: [false, true])
        var changes: [Int] = []
        for _ in 0..<choices.next(of: Array(0...5)) {
            changes.append((changes.last ?? 0) + choices.next(of: Array(0...63)))
        }
        let script = Script(
            limit: limit, awaitsReport: awaitsReport, changes: changes, bytes: Array(choices.payload.prefix(8192)))
        let whole = Reading(script, pieceSize: .max)
        for size in [1, 2, 3, 7] {
            try require(Reading(script, pieceSize: size) == whole, "in pieces of \(size) it is something else")
        }
        try whole.requireWithinLimits(script)
        try requireUnchangedWhileLive(script)
        try requireNoTextReachesTheProgram(script)
        try requireUsableAfterFlush(script)
    }

    /// Input, with the positions at which the cover comes and goes.
    struct Script {
        var limit: Int
        var awaitsReport: Bool
        var changes: [Int]
        var bytes: [UInt8]
    }

    /// What a sorter makes of an input.
    private struct Reading: Equatable {
        /// The items; replies that follow each other are one.
        private(set) var items: [InputSorter.Item] = []
        private(set) var isIncomplete = false
        private(set) var isPasting = false
        /// The most bytes that were kept between two pieces. It depends on the pieces.
        private(set) var mostKept = 0

        init(_ script: Script, pieceSize: Int) {
            var sorter = InputSorter(longestReply: script.limit)
            var isCovered = false, start = 0
            for end in script.changes.map({ min($0, script.bytes.count) }) + [script.bytes.count] {
                var rest = script.bytes[start..<end]
                while !rest.isEmpty {
                    let piece = Array(rest.prefix(pieceSize))
                    rest = rest.dropFirst(piece.count)
                    add(
                        isCovered
                            ? sorter.sort(piece, awaitsCursorReport: script.awaitsReport) : [.reply(sorter.followLive(piece))])
                    mostKept = max(mostKept, sorter.keptBytes)
                }
                start = end
                isCovered.toggle()
                if isCovered { sorter.beginCover() } else { sorter.endCover() }
            }
            (isIncomplete, isPasting) = (sorter.isIncomplete, sorter.isPasting)
        }

        private mutating func add(_ more: [InputSorter.Item]) {
            for item in more where item != .reply([]) {
                if case .reply(let new) = item, case .reply(let old)? = items.last {
                    items[items.count - 1] = .reply(old + new)
                } else {
                    items.append(item)
                }
            }
        }

        static func == (left: Reading, right: Reading) -> Bool {
            left.items == right.items && left.isIncomplete == right.isIncomplete && left.isPasting == right.isPasting
        }

        var forProgram: [UInt8] {
            items.flatMap { item -> [UInt8] in if case .reply(let bytes) = item { bytes } else { [] } }
        }

        func requireWithinLimits(_ script: Script) throws(Violation) {
            try require(mostKept <= 2 * script.limit, "\(mostKept) bytes are kept, of \(2 * script.limit)")
            let keys = items.count { if case .key = $0 { true } else { false } }
            try require(keys <= script.bytes.count, "\(script.bytes.count) bytes became \(keys) keys")
            var rest = script.bytes[...]
            for byte in forProgram {
                guard let place = rest.firstIndex(of: byte) else { throw Violation("the program gets bytes in another order") }
                rest = rest[(place + 1)...]
            }
        }
    }

    private static func requireUnchangedWhileLive(_ script: Script) throws(Violation) {
        var live = script
        live.changes = []
        try require(Reading(live, pieceSize: 5).forProgram == script.bytes, "the program does not get what was typed")
    }

    /// Text without control characters, and a paste, belong to the cover.
    private static func requireNoTextReachesTheProgram(_ script: Script) throws(Violation) {
        let text = script.bytes.filter { (0x20..<0x7F).contains($0) }
        var covered = script
        covered.changes = [0]
        covered.bytes = text + Array("\u{1B}[200~".utf8) + text + Array("\u{1B}[201~".utf8) + text
        let reading = Reading(covered, pieceSize: .max)
        try require(reading.forProgram.isEmpty, "text from the cover reaches the program")
        try require(reading.items.count == 2 * text.count, "\(2 * text.count) characters are \(reading.items.count) keys")
    }

    /// After a flush and the end of what is open, a key is a key.
    private static func requireUsableAfterFlush(_ script: Script) throws(Violation) {
        var sorter = InputSorter(longestReply: script.limit)
        sorter.beginCover()
        for byte in script.bytes {
            _ = sorter.sort([byte], awaitsCursorReport: script.awaitsReport)
            if byte % 3 == 0 { _ = sorter.flush() }
        }
        sorter.abandonPaste()
        // CAN ends what is open.
        _ = sorter.sort([0x18])
        _ = sorter.flush()
        try require(sorter.sort([0x71]) == [.key(.character("q"))], "a key after the end of everything else is lost")
    }
}

extension InputSorter {
    /// The bytes in the storage of the sorter, whatever it is for.
    fileprivate var keptBytes: Int {
        Mirror(reflecting: self).children.reduce(0) { sum, child in sum + ((child.value as? [UInt8])?.count ?? 0) }
    }
}
