import Testing

@testable import BellerophonServer

@Suite struct EntityTagsTests {
    @Test(arguments: [
        (["*"], true), ([" * "], true), ([#""a""#], true), ([#"W/"a""#], true), ([#""b", "a""#], true),
        ([#""b""#, #""a""#], true), ([#""b,"a""#], false), ([#""x,y",W/"a""#], true), ([#"a"#], false),
        ([#"nonsense, "a""#], true), ([#""a"#], false), ([""], false), ([#","a","#], true), ([#""A""#], false),
    ])
    func matchesOneTagOfAList(lines: [String], matches: Bool) {
        #expect(EntityTags.match(lines, #""a""#) == matches)
    }

    @Test func comparesWeakly() {
        #expect(EntityTags.match([#""a""#], #"W/"a""#))
    }

    @Test func aTagMayHoldACommaAndBeEmpty() {
        for tag in [#""a,b""#, #""""#] { #expect(EntityTags.match([#""a,b", """#], tag)) }
    }
}
