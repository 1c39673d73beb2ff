import Testing

@testable import ProgramKit

/// Names are found by a few of their letters.
@Suite struct FuzzyPatternTests {
    @Test(arguments: [
        ("pau", "paused"), ("PAU", "paused"), ("pch", "paused, Chinese message"), ("h5", "HTTP 500"), ("ecole", "École"),
        ("u r", "update required"), ("", "anything"), ("漢", "字漢"),
    ])
    func charactersInOrderMatch(pattern: String, name: String) {
        #expect(FuzzyPattern(pattern).score(of: name) != nil)
    }

    @Test(arguments: [("psu", "paused?"), ("uap", "paused"), ("a", ""), ("pp", "paused")])
    func othersDoNot(pattern: String, name: String) {
        #expect(FuzzyPattern(pattern).score(of: name) == nil)
    }

    @Test(arguments: [
        ("pau", "paused", "replay usual"), ("cm", "Chinese message", "incomplete"), ("live", "live", "not alive"),
        ("up", "update required", "pick up"),
    ])
    func startsOfWordsAndNeighboursAreBetter(pattern: String, better: String, worse: String) throws {
        let pattern = FuzzyPattern(pattern)
        let (first, second) = (try #require(pattern.score(of: better)), try #require(pattern.score(of: worse)))
        #expect(first > second)
    }
}
