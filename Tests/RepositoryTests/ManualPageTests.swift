import TestSupport
import Testing

/// The comparison of a manual page with a program finds what the page has wrong.
@Suite struct ManualPageTests {
    private static let page = #"""
        .Sh SYNOPSIS
        .Nm
        .Op Cm run
        .Op Fl -config Ar file
        .Op Fl q | Fl -quiet
        .Nm
        .Cm history Op Cm list
        .Op Ar place
        .Op Fl -limit Ar count
        .Nm
        .Cm start
        .Fl -
        .Ar program
        .Op Ar argument ...
        .Nm
        .Cm put
        .Ar name
        .Ar file | Fl -url Ar url Op Fl -size Ar bytes
        .Op Ar target
        .Pp
        where
        .Ar place
        is
        .Op Fl -store Ar folder ,
        and
        .Ar target
        is
        .Op Ar place | Fl -server Ar url
        .Op Fl -json
        .Sh DESCRIPTION
        .Bl -tag -width Ds
        .It Cm run
        Runs.
        .It Cm history list
        Lists.
        .El
        .Sh OPTIONS
        .It Fl -config Ar file
        .It Fl q , Fl -quiet
        .Sh FILES
        .It Fl -none
        """#

    private let manual = ManualPage(page)

    @Test func aSynopsisIsReadWithItsGroups() {
        #expect(Set(manual.commands.keys) == ["run", "history list", "put", "start"])
        #expect(manual.commands["run"] == CommandSyntax(flags: ["config": "file", "quiet": ""]))
        #expect(manual.commands["history list"] == CommandSyntax(flags: ["store": "folder", "limit": "count"]))
        #expect(manual.commands["start"] == CommandSyntax(arguments: ["program"]))
        let put = ["url": "url", "size": "bytes", "store": "folder", "server": "url", "json": ""]
        #expect(manual.commands["put"] == CommandSyntax(flags: put, arguments: ["name", "file"]))
    }

    @Test func theExplanationsAreFound() {
        #expect(manual.explained == ["run", "history list"])
        #expect(manual.options == ["config", "quiet"])
    }

    @Test func everyDifferenceIsNamed() {
        let real = CommandSyntax(flags: ["config": "path", "force": ""], arguments: ["name"])
        let differences = real.differences(in: CommandSyntax(flags: ["config": "file", "quiet": ""], arguments: ["place"]))
        #expect(
            Set(differences) == [
                "the manual lacks --force", "the command has no --quiet", "the value of --config is named \"path\"",
                "the manual lacks the argument name", "the command has no argument place",
            ])
        #expect(real.differences(in: real) == [])
    }
}
