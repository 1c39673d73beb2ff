import Foundation

/// A text that is searched for in names: its characters must appear in the name in the same order, with others between them.
///
/// Case and accents are ignored. Better matches have a higher score: characters at the start of the name or of its words, and
/// characters that follow each other.
package struct FuzzyPattern: Equatable, Sendable {
    private let characters: [Character]
    private let words: [String]

    package init(_ text: String) {
        let folded = Self.folded(text)
        characters = folded.filter { !$0.isWhitespace }
        words = folded.split(whereSeparator: \.isWhitespace).map { String($0) }
    }

    package var isEmpty: Bool { characters.isEmpty }

    /// Whether a description contains every word of the text, or its beginning. Single letters would be found in any description.
    package func isFound(inDescription text: String) -> Bool {
        let found = Self.folded(text).split { !($0.isLetter || $0.isNumber) }
        return words.allSatisfy { word in found.contains { String($0).hasPrefix(word) } }
    }

    /// How well a name matches; nil if it does not. An empty pattern matches every name with 0.
    package func score(of name: String) -> Int? {
        let name = Self.folded(name)
        // best[i]: the best score if the i-th character of the name is the last one that matched; nil if it can't be.
        var best: [Int?] = []
        for (number, character) in characters.enumerated() {
            var next: [Int?] = Array(repeating: nil, count: name.count)
            var highest: Int?
            for index in name.indices {
                if number > 0, index > 0, let earlier = best[index - 1] { highest = max(highest ?? earlier, earlier) }
                guard name[index] == character else { continue }
                let value = Self.value(of: index, in: name)
                let apart = number == 0 ? value : highest.map { $0 + value }
                let joined = number > 0 && index > 0 ? best[index - 1].map { $0 + value + Self.joinedBonus } : nil
                next[index] = [apart, joined].compactMap(\.self).max()
            }
            best = next
        }
        if characters.isEmpty { return 0 }
        return best.compactMap(\.self).max()
    }

    private static let joinedBonus = 4
    private static let wordBonus = 3

    private static func value(of index: Int, in name: [Character]) -> Int {
        let startsWord = index == 0 || !(name[index - 1].isLetter || name[index - 1].isNumber)
        return 1 + (startsWord ? wordBonus : 0) + (index == 0 ? 1 : 0)
    }

    private static func folded(_ text: String) -> [Character] {
        Array(text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
    }
}
