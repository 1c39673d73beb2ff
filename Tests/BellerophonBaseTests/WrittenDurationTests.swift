import BellerophonBase
import Testing

@Suite("Durations as a person writes them")
struct WrittenDurationTests {
    @Test(
        arguments: [
            ("90s", 90), ("5m", 300), ("1h30m", 5400), ("2d", 172_800), ("1d2h3m4s", 93_784), ("0", 0), ("30", 30), ("2.5", 2.5),
            ("2.5s", 2.5), ("1.5h", 5400), ("0.1", 0.1),
            ("36500d", 3_153_600_000),
        ] as [(String, Double)])
    func aDurationIsRead(text: String, seconds: Double) {
        #expect(Duration(written: text) == .seconds(seconds))
    }

    @Test(
        arguments: [
            "", " ", "s", "m5", "5 m", "5x", "-5", "+5", "1e3", "30m1h", "1h1h", "1h30", "1.5h3m", ".5", "5.", "1.2.3", "nan",
            "inf",
            "٥m", "99999999999",
        ])
    func anotherTextIsRefused(text: String) {
        #expect(Duration(written: text) == nil)
    }
}
