import Bellerophon
import ProgramUpdates
import Testing

@Suite struct UpdateSourceTests {
    @Test func aStatedCommandIsUsed() {
        var options = UpdateOptions()
        options.command = "make update"
        let source = UpdateSource(Installation(source: "file", path: "/a", file: "/a"), options, privilege: .none)
        #expect(source.command(for: nil, isDefault: true) == "make update")
    }
}
