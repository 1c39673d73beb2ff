import Testing

@testable import TerminalGuard

/// What a clear continues while the pause is still under way.
@Suite("Process hold: a clear during the pause")
struct ProcessHoldTests {
    private var hold = ProcessHold()

    private static func process(_ pid: Int32, group: Int32 = 10, _ state: TreeProcess.State = .running) -> TreeProcess {
        TreeProcess(identity: .init(pid: pid, start: 0), parent: 1, group: group, state: state, name: "")
    }

    @Test("A process stopped with its group is continued even if no pass saw it")
    mutating func stoppedGroupMemberContinues() {
        _ = hold.pass([Self.process(10)], order: .allAtOnce)
        hold.didStop(group: 10)
        hold.didStop(Self.process(10))
        let identities = hold.resume([Self.process(10, .stopped), Self.process(11, .stopped)])
        #expect(identities.map(\.pid) == [11, 10], "children before their parents")
    }

    @Test("A process that ran before its group was stopped is continued")
    mutating func missedGroupMemberContinues() {
        _ = hold.pass([Self.process(10), Self.process(11)], order: .parentsFirst)
        // It was missing in the list of the pass that has stopped the group.
        hold.didStop(group: 10)
        hold.didStop(Self.process(10))
        #expect(hold.resume([Self.process(10, .stopped), Self.process(11, .stopped)]).map(\.pid) == [11, 10])
    }

    @Test("A stopped process is continued even if the last process list omits it")
    mutating func unlistedProcessContinues() {
        _ = hold.pass([Self.process(10), Self.process(11)], order: .allAtOnce)
        hold.didStop(Self.process(10))
        hold.didStop(Self.process(11))
        #expect(Set(hold.resume([Self.process(10, .stopped)]).map(\.pid)) == [10, 11])
    }

    @Test("A process stopped by a person stays stopped when its group is resumed")
    mutating func userStoppedProcessStaysStopped() {
        _ = hold.pass([Self.process(10), Self.process(11, .stopped)], order: .allAtOnce)
        hold.didStop(group: 10)
        hold.didStop(Self.process(10))
        #expect(hold.resume([Self.process(10, .stopped), Self.process(11, .stopped)]).map(\.pid) == [10])
    }
}
