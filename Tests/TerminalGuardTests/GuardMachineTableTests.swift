import Testing

@testable import TerminalGuard

/// The table of every event in every state: ``GuardMachineTable``.
@Suite("Guard machine: every event in every state")
struct GuardMachineTableTests {
    @Test(arguments: GuardMachineTable.sections)
    func everyEventDoesWhatTheTableSays(section: GuardMachineTable.Section) throws {
        let start = try section.start()
        try #require(GuardNotation.text(start.machine) == section.state)
        let cells = try section.cells()
        for (name, event) in GuardMachineTable.events {
            var test = start
            let actions = test.send(event)
            let result = GuardNotation.text(actions, from: start.machine, to: test.machine)
            let found = "\(name): \(result) > \(GuardNotation.text(test.machine))"
            let expected = "\(name): " + (cells[name] ?? "- > \(section.state)")
            #expect(found == expected)
            #expect(test.faults == [], "\(name)")
        }
    }

    @Test(arguments: GuardMachineTable.sections)
    func outputGoesWhereTheTableSays(section: GuardMachineTable.Section) throws {
        var test = try section.start()
        let (actions, terminal) = test.output("x")
        #expect(GuardNotation.visible(terminal) == section.output)
        #expect(actions == [])
        #expect(GuardNotation.text(test.machine) == section.state)
    }

    @Test func theTableHasEachStateOnce() {
        let states = GuardMachineTable.sections.map(\.state)
        #expect(Set(states).count == states.count)
    }
}

private struct UnknownName: Error, CustomStringConvertible {
    let description: String
}

extension GuardMachineTable.Section {
    /// The machine in this state.
    func start() throws -> GuardUnderTest {
        var test = GuardUnderTest()
        for name in path.split(separator: " ") {
            if name == "overlong" {
                test.output("\u{1B}P" + String(repeating: "s", count: GuardUnderTest.overlong))
            } else if let event = GuardMachineTable.events.first(where: { $0.name == name })?.event {
                test.send(event)
            } else {
                throw UnknownName(description: "no event has the name \(name)")
            }
        }
        return test
    }

    /// The cells by the names of their events, with the states written out.
    func cells() throws -> [String: String] {
        var cells: [String: String] = [:]
        for row in rows.split(separator: "\n") {
            let halves = row.split(separator: ":", maxSplits: 1)
            guard halves.count == 2 else { throw UnknownName(description: "no actions: \(row)") }
            let result = halves[1].drop { $0 == " " }
            for name in halves[0].split(separator: " ").map(String.init) {
                guard GuardMachineTable.events.contains(where: { $0.name == name }), cells[name] == nil else {
                    throw UnknownName(description: "\(name) is unknown or has two rows: \(row)")
                }
                let cell = result.contains(" > ") ? String(result) : "\(result) > \(state)"
                cells[name] = cell.replacing("$", with: name).replacing("#", with: String(name.suffix(1)))
            }
        }
        return cells
    }
}
