import BellerophonBase
import BellerophonTrust
import Foundation
import Testing

@testable import ProgramKit

/// An empty key is the unset variable of a script. It must not turn verification off.
@Suite("Empty trust keys")
struct EmptyKeyTests {
    private static let key = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

    private static let advice = "; leave it out only if unsigned statuses are to count"

    @Test(arguments: ["[]", #""""#, #"" ""#, #"[""]"#, #"[" ", ""]"#, "null"])
    func anEmptyKeyInTheFileIsAnError(value: String) {
        let problem = problems(#"{"trust":{"keys":\#(value)}}"#).first
        #expect(problem?.hasPrefix("line 1: trust.keys: expected at least one public key") == true)
        #expect(problem?.hasSuffix(Self.advice) == true)
        let service = #"{"name":"a","status":{"url":"https://a.example/status"},"trust":{"keys":\#(value)}}"#
        #expect(problems(#"{"services":[\#(service)]}"#).first?.contains("trust.keys: expected at least one public key") == true)
    }

    @Test(
        "An empty key in a variable or flag is an error and keeps the keys of the file",
        arguments: ["", " ", "\t\n", "[]", "null"]) func emptyKeyTextIsAnError(text: String) throws
    {
        var configuration = try apply(#"{"trust":{"keys":["\#(Self.key)"]}}"#)
        let expected = "expected at least one public key as bellerophon-server keygen prints it, with spaces between keys, found "
        let suffix = text.contains("l") || text.contains("[") ? "" : Self.advice
        for origin in ["BELLEROPHON_TRUST_KEYS", "--trust-key"] {
            let error = #expect(throws: ConfigurationError.self) {
                if origin.hasPrefix("-") { return try configuration.apply(flag: "trust.keys", text: text) }
                try configuration.apply(environment: [origin: text])
            }
            #expect(error?.origin == origin)
            #expect(error?.problems.first?.hasPrefix(expected) == true)
            #expect(error?.problems.first?.hasSuffix(suffix) == true)
            #expect(configuration.trust?.keys.map(\.text) == [Self.key])
        }
    }

    @Test("An empty environment variable counts as absent")
    func emptyVariableIsIgnored() throws {
        let configuration = try apply(environment: ["BELLEROPHON_STATUS_URL": "", "BELLEROPHON_INTERVAL": ""])
        #expect(configuration == Configuration())
    }
}
