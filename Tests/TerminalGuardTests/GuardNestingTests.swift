import Testing

@testable import TerminalGuard

@Suite("Guards inside guards")
struct GuardNestingTests {
    private static let fingerprint = GuardNesting.fingerprint(
        statusURL: "https://status.example.com/status", trustKeys: ["a", "b"], audience: "default/main")

    @Test func theValueIsParsedBack() throws {
        let nesting = GuardNesting(process: 4711, fingerprint: Self.fingerprint)
        #expect(GuardNesting(nesting.value) == nesting)
        #expect(GuardNesting("2147483647:0")?.process == .max)
    }

    @Test(arguments: [
        "", ":", "1", "1:", ":a", "0:a", "01:a", "-1:a", "+1:a", " 1:a", "1 :a", "1:a:b", "1:a ", "1:A", "1:g", "2147483648:a",
        "99999999999999999999:a", "1:0123456789abcdef0", "١:a", "1:a\n",
    ])
    func anotherValueIsNotParsed(value: String) {
        #expect(GuardNesting(value) == nil)
    }

    @Test func aLivingAncestorWithTheSameSettingsCounts() {
        let environment = [GuardNesting.variable: GuardNesting(process: 7, fingerprint: Self.fingerprint).value]
        func isNested(_ environment: [String: String], ancestors: Set<Int32>, guards: Set<Int32> = [7]) -> Bool {
            GuardNesting.isNested(
                environment: environment, isAncestor: ancestors.contains, isGuard: { guards.contains($0) },
                fingerprint: Self.fingerprint)
        }
        #expect(isNested(environment, ancestors: [1, 7]))
        #expect(!isNested(environment, ancestors: [1, 8]), "the variable has outlived its guard")
        #expect(!isNested(environment, ancestors: [1, 7], guards: []), "a shell that names itself is no guard")
        #expect(!isNested([:], ancestors: [1, 7]))
        #expect(!isNested([GuardNesting.variable: "7"], ancestors: [1, 7]))
        #expect(!isNested([GuardNesting.variable: "7:abc"], ancestors: [1, 7]), "other settings")
    }

    @Test func theFingerprintDependsOnWhatDecidesWhichStatusCounts() {
        func fingerprint(_ url: String = "https://a", _ keys: [String] = ["a", "b"], _ audience: String? = "x/y") -> String {
            GuardNesting.fingerprint(statusURL: url, trustKeys: keys, audience: audience)
        }
        #expect(fingerprint() == fingerprint("https://a", ["b", "a", "a"]))
        let others = [
            fingerprint("https://b"), fingerprint("https://a", ["a"]), fingerprint("https://a", []),
            fingerprint("https://a", ["a", "b"], nil), fingerprint("https://a", ["a", "b"], "x/z"),
        ]
        #expect(Set(others + [fingerprint()]).count == 6)
    }
}
