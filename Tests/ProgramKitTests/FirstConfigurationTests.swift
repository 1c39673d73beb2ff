import Bellerophon
import Foundation
import ProgramKit
import Testing

/// The questions of `bellerophon init`.
@Suite("Init: questions") struct FirstConfigurationTests {
    /// The dialog after these answers, each of which counts.
    private func answered(_ answers: [String], exists: Bool = false, isPlain: Bool = false) -> FirstConfiguration {
        var dialog = FirstConfiguration(path: "/c.json", exists: exists, isPlain: isPlain)
        for answer in answers { #expect(dialog.answer(answer) == nil, "\(answer)") }
        return dialog
    }

    @Test("Three answers make a configuration that is valid")
    func answers() throws {
        let dialog = answered([" https://status.example.com/status ", "My notes 1.4.0", "yes"])
        #expect(dialog.question == nil && dialog.prompt == nil)
        let configuration = try apply(dialog.text)
        #expect(configuration.statusURL?.absoluteString == "https://status.example.com/status")
        #expect(configuration.app.name == "My notes" && configuration.app.version == "1.4.0" && configuration.display.isPlain)
        #expect(
            dialog.text == """
                {
                  "app": { "name": "My notes", "version": "1.4.0" },
                  "status": { "url": "https://status.example.com/status" },
                  "display": { "plain": true }
                }

                """)
    }

    @Test("An empty line chooses the default that the question names")
    func defaults() throws {
        let dialog = answered(["", "", ""])
        #expect(dialog.text == "{\n  \"status\": { \"url\": \"http://127.0.0.1:8080/status\" }\n}\n")
        #expect(try apply(answered(["", "", ""], isPlain: true).text).display.isPlain)
        #expect(answered([]).prompt?.contains("(Enter alone: http://127.0.0.1:8080/status)") == true)
        #expect(answered(["", ""]).prompt?.contains("(Enter alone: no)") == true)
        #expect(answered(["", ""], isPlain: true).prompt?.contains("(Enter alone: yes)") == true)
    }

    @Test(
        "An answer that can't count is refused at once with what to do, and the question stays",
        arguments: [
            ([], "status.example.com", "begin it with https://"), ([], "ftp://a.example/x", "expected an http or https URL"),
            ([""], "1.4.0", "give both, such as notes 1.4.0"), (["", ""], "maybe", "type yes or no"),
        ] as [([String], String, String)])
    func refusals(before: [String], answer: String, advice: String) {
        var dialog = answered(before)
        let (question, prompt) = (dialog.question, dialog.prompt)
        #expect(dialog.answer(answer)?.contains(advice) == true)
        #expect(dialog.question == question && dialog.prompt == prompt)
    }

    @Test("A file that is there is only replaced after a yes")
    func replacement() {
        #expect(answered([], exists: true).prompt?.hasPrefix("/c.json is there already") == true)
        for answer in ["", "no", "N"] {
            let dialog = answered([answer], exists: true)
            #expect(dialog.keepsFile && dialog.question == nil)
        }
        let dialog = answered(["yes"], exists: true)
        #expect(dialog.question == .address && !dialog.keepsFile)
    }
}
