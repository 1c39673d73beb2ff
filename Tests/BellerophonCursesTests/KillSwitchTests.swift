import Bellerophon
import BellerophonCurses
import Foundation
import TestSupport
import Testing

@Suite("Kill switch: the start")
struct KillSwitchTests {
    private static let remedy = "; write an address such as https://status.example.com/status"

    @Test("An address is read before the screen is open, without the blanks around it")
    func address() throws {
        #expect(try KillSwitch.statusURL(" https://a.example/status\n").absoluteString == "https://a.example/status")
    }

    @Test(
        "An address that is no address is an error in one line",
        arguments: [
            ("a.example", #"the status URL "a.example" has no scheme; put https:// before it"#),
            ("", #"the status URL "" can't be read\#(remedy)"#),
            ("http://[::1", #"the status URL "http://[::1" can't be read\#(remedy)"#),
        ])
    func problem(text: String, description: String) {
        let error = #expect(throws: KillSwitchError.self) { try KillSwitch.statusURL(text) }
        #expect(error?.description == description)
        #expect(error?.localizedDescription == description)
    }

    @Test("A start with an address that is no address throws before anything is asked") @MainActor
    func start() throws {
        let url = try #require(URL(string: "a.example/status"))
        let problem = #""a.example/status" has no scheme; put https:// before it"#
        #expect(throws: KillSwitchError.unusableAddress(problem)) { try KillSwitch.start(statusURL: url) }
    }
}
