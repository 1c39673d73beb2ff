import Bellerophon
import Foundation

/// Reads a document from a file, and prints the time to decode it and to evaluate its rules as JSON, in nanoseconds.
///
///     evaluate-rules FILE VERSION TIME FACT=VALUE ...
@main
enum EvaluateRules {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let data = FileManager.default.contents(atPath: arguments[1]),
            let date = try? Date(arguments[3], strategy: .iso8601)
        else {
            FileHandle.standardError.write(Data("usage: evaluate-rules FILE VERSION TIME FACT=VALUE ...\n".utf8))
            exit(64)
        }
        var app = AppFacts(version: arguments[2], osVersion: "6.1.0", installID: "00112233445566778899aabbccddeeff")
        for fact in arguments.dropFirst(4) {
            let parts = fact.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { app.values[String(parts[0])] = String(parts[1]) }
        }
        let document = try StatusDocument(json: data)
        // The two take turns, so that other work of the machine meets both.
        var (decoding, evaluating) = ([Int](), [Int]())
        var restrictions = 0
        for _ in 0..<50 {
            decoding.append(try nanoseconds(of: 20) { _ = try StatusDocument(json: data) })
            evaluating.append(
                try nanoseconds(of: 200) { restrictions += document.verdict(for: app, at: date).restrictions.count })
        }
        let rules = document.rules.count
        print(
            #"{"rules":\#(rules),"bytes":\#(data.count),"restrictions":\#(restrictions / 10_000),"#
                + #""decode":\#(median(decoding)),"evaluate":\#(median(evaluating))}"#)
    }

    /// The nanoseconds of one call, out of many.
    private static func nanoseconds(of count: Int, _ work: () throws -> Void) rethrows -> Int {
        let start = ContinuousClock.now
        for _ in 0..<count { try work() }
        let spent = start.duration(to: .now)
        return Int(spent / .nanoseconds(1)) / count
    }

    private static func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }
}
