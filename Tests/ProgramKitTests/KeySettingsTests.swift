import Bellerophon
import Foundation
import ProgramKit
import TerminalUI
import Testing

/// `keys` in the configuration.
@Suite struct KeySettingsTests {
    @Test func wrongKeysAreNamedWithTheirLine() {
        let json = """
            {
              "chekNow": "r",
              "sync": "rr",
              "copy": ["i", 7],
              "filter": "r",
              "help": "3",
              "redraw": "ctrl-c"
            }
            """
        let key = "expected a key or several in an array: a character, ctrl-r, f5, enter, escape, up, pagedown and so on"
        #expect(
            problems(#"{"keys":\#(json)}"#) == [
                #"line 2: keys.chekNow: there is no such command; did you mean "checkNow"?"#,
                "line 3: keys.sync: \(key)", "line 4: keys.copy: \(key)",
                "line 5: keys.filter: the key r is that of checkNow too; give that command another one",
                "line 6: keys.help: the key 3 goes to a step of a timeline or opens a service",
                "line 7: keys.redraw: the key Ctrl-C always quits",
            ])
    }

    @Test func theViewsHaveTheKeysOfTheConfiguration() throws {
        let json = #"{"keys": {"checkNow": "f5", "details": "i", "runUpdate": ["U", "f9"], "up": "t", "quit": "Q"}}"#
        let keys = try apply(json).display.keys
        let (kill, update) = (keys.killView, keys.updateView)
        #expect(kill.action(for: .function(5)) == .checkNow && kill.action(for: .character("r")) == nil)
        #expect(kill.action(for: .character("i")) == .toggleDetails)
        #expect(kill.action(for: .character("t")) == .scrollUp && kill.action(for: .pageUp) == .scrollUp)
        #expect(kill.action(for: .up) == nil && kill.action(for: .character("Q")) == .quit)
        #expect(update.action(for: .character("U")) == .runUpdate && update.action(for: .function(9)) == .runUpdate)
        #expect(update.action(for: .character("y")) == .copyLink, "the others are as usual")
    }

    @Test(arguments: [
        (
            #"{"keys": {"details": "r"}}"#,
            "line 1: keys.details: the key r is that of checkNow too; give that command another one"
        ),
        (
            #"{"keys": {"details": "s"}}"#,
            "line 1: keys.details: the key s is that of pickScenario too; give that command another one"
        ),
        (#"{"keys": {"copyLink": "p"}}"#, "line 1: keys.copyLink: the key p is that of play too; give that command another one"),
    ])
    func aKeyIsTakenOnceInAView(json: String, problem: String) {
        #expect(problems(json) == [problem])
        #expect(problems(#"{"keys": {"details": "i"}}"#).isEmpty)
    }
}
