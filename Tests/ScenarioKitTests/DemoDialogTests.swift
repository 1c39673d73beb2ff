import Barricade
import Bellerophon
import ProgramKit
import TestSupport
import Testing

@testable import ScenarioKit

/// What a person types in a demo without a screen.
@Suite("Demo in lines") struct DemoDialogTests {
    private var driver = BarricadeDriver(Simulation().barricade)
    private let dialog = DemoDialog()

    private func effects(_ line: String) -> [DemoDialog.Effect]? { dialog.effects(of: line, driver.list) }

    private func said(_ line: String) -> [String] {
        guard case .say(let lines)? = effects(line)?.first else { return [] }
        return lines
    }

    @Test(
        "Every word is a request to the simulated server",
        arguments: [
            ("kill", .shortcut(.reach(.killed))), ("UPDATE", .shortcut(.reach(.updateRequired))),
            ("restore", .shortcut(.reach(.active))), ("1", .tell(.play("planned maintenance"))),
            ("play 1", .tell(.play("planned maintenance"))), ("play tour", .tell(.play("tour"))),
            ("  planned   maintenance ", .tell(.play("planned maintenance"))), ("play", .tell(.resume(request: nil))),
            ("10", .tell(.select(request: "status", response: "paused"))),
            ("Paused", .tell(.select(request: "status", response: "paused"))),
            ("update required", .tell(.select(request: "status", response: "update required"))),
            ("pick offline", .tell(.select(request: "status", response: "offline"))),
            ("next", .tell(.step(request: nil))), ("b", .tell(.jump(to: 0, request: nil))), ("stop", .tell(.reset(request: nil))),
            ("speed 10", .tell(.speed(10))),
        ] as [(String, ControlRequest)])
    func words(line: String, request: ControlRequest) {
        #expect(effects(line) == [.perform(request)])
    }

    @Test(
        "A line without a meaning gets one line that says what there is",
        arguments: [
            ("0", "there is no number 0; the list has 1 to "), ("play 999", "there is no number 999; the list has 1 to "),
            ("play tuor", "nothing in the list is named \"tuor\"; did you mean \"tour\"?"),
            ("list nonsense", "nothing in the list is about \"nonsense\"; type list all to hear every name"),
            ("speed", "give a speed from 1 to 1000: speed 10"), ("pause", "no timeline plays; kill pauses the service"),
        ])
    func refusals(line: String, answer: String) {
        let lines = said(line)
        #expect(lines.count == 1 && lines[0].hasPrefix(answer), "\(lines)")
    }

    @Test("Words of the program and unknown words are not for the server, and an unknown one is answered in a line")
    func others() {
        for line in ["q", "quit", "r", "u", "s", "?", "jump", "kill it"] { #expect(effects(line) == nil) }
        #expect(DemoDialog.unknown("kil").hasPrefix("there is no \"kil\" (did you mean \"kill\"?); type list, "))
        #expect(!DemoDialog.unknown("\u{1B}[2J").contains("\u{1B}"))
        #expect(said("") == [DemoDialog.invitation])
    }

    @Test("The list begins with the timelines and the everyday scenarios, and says what else there is")
    func list() {
        let lines = said("list")
        #expect(lines.first == "Timelines:")
        #expect(lines.contains("1 planned maintenance: drains, pauses, says how far it is, and comes back"))
        #expect(lines.contains("9 live: the app may run (now)") && lines.contains("Everyday:"))
        #expect(lines.count < 20)
        #expect(lines.last?.contains("Failures (") == true)
        #expect(said("list failures").contains("Failures:") && !said("list failures").contains("Everyday:"))
        #expect(said("list all").count > driver.list.items.count)
    }

    @Test("A number in a part of the list is that of the whole list")
    func numbers() throws {
        let line = try #require(said("list offline").first { $0.contains("offline") })
        let number = try #require(line.split(separator: " ").first)
        #expect(effects(String(number)) == [.perform(.tell(.select(request: "status", response: "offline")))])
    }

    @Test("A presentation keeps its own words for the next step and the one before")
    func presentation() {
        let dialog = DemoDialog(isPresented: true)
        for line in ["", "n", "next", "b", "back"] { #expect(dialog.effects(of: line, driver.list) == nil) }
        #expect(dialog.effects(of: "kill", driver.list) == [.perform(.shortcut(.reach(.killed)))])
    }

    @Test(
        "Kill, update and restore reach their stage, however often they are typed",
        arguments: [Stage.killed, .updateRequired, .active])
    func reach(stage: Stage) throws {
        var driver = driver
        let machine = StageMachine(app: AppFacts(version: Simulation.app.version))
        for _ in 1...2 {
            let command = try #require(driver.command(for: .reach(stage), of: machine))
            try driver.perform(command)
            let name = try #require(driver.list.scenarios.first(where: driver.list.isSelected)?.name)
            #expect(name == [.killed: "paused", .updateRequired: "update required", .active: "live"][stage])
            #expect(dialog.answer(to: command, driver.list).first?.hasPrefix("the server replies: \(name), ") == true)
        }
    }

    @Test("Each step of a timeline is said once, and so is what becomes of it")
    func news() throws {
        var (driver, dialog) = (driver, dialog)
        let tour = try #require(driver.barricade.timelines.first { $0.name == "tour" })
        func perform(_ command: BarricadeCommand) throws -> [String] {
            try driver.perform(command)
            return dialog.news(driver.list)
        }
        #expect(try perform(.play("tour")) == ["step 1 of 6: \(tour.steps[0].note)"])
        #expect(dialog.news(driver.list) == [])
        #expect(try perform(.step(request: nil)).first?.hasPrefix("step 2 of 6: The operator publishes a pause.") == true)
        #expect(try perform(.pause(request: nil)) == ["on hold at step 2 of 6; play goes on"])
        #expect(try perform(.resume(request: nil)).first?.hasPrefix("step 2 of 6: ") == true)
        #expect(try perform(.select(request: "status", response: "live")) == ["tour waits at step 2 of 6; play goes on with it"])
        #expect(try perform(.reset(request: nil)) == ["tour was ended"])
    }
}
