import BellerophonCurses
import Testing

/// The window of a host that has no terminal.
@Suite("A host without a terminal")
@MainActor
struct HostWithoutTerminalTests {
    @Test("A host is told to leave, because no key will come")
    func nextEvent() {
        let window = CursesOverlayWindow()
        #expect(window.nextEvent() == .quit)
        #expect(window.nextEvent(timeout: .seconds(60), whileCovered: true) == .quit)
        #expect(window.nextKey() == nil)
    }

    @Test("The sequence of events tells it once, and ends")
    func events() async {
        var events: [HostEvent] = []
        for await event in CursesOverlayWindow().events { events.append(event) }
        #expect(events == [.quit])
    }
}
