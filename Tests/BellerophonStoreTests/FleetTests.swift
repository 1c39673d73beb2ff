import Bellerophon
import Foundation
import TestSupport
import Testing

@testable import BellerophonStore

/// The table of an operator's apps.
@Suite("Fleet")
struct FleetTests {
    private static let now = PlanSample.date("2026-12-01T00:00:00Z")

    private static func fleet(_ text: String) throws -> Fleet { try Fleet(csv: Data(text.utf8), name: "fleet.csv") }

    private static func covered(_ fleet: String, _ rules: String, at time: Date = now) throws -> Int {
        let document = try StatusDocument(json: Data(PlanSample.document(rules).utf8))
        return try Self.fleet(fleet).covered(by: document, at: time)
    }

    @Test("Columns with a meaning of their own and facts are read")
    func reading() throws {
        let fleet = try Self.fleet(
            "\u{FEFF}version,\"count\",osVersion,os,site\r\n1.4.0,3,,linux,ward\r\n\r\n\"1.5\",,22.04,, \"a b\" \r\n")
        #expect(fleet.count == 4)
        #expect(fleet.entries.map(\.count) == [3, 1])
        #expect(fleet.entries[0].facts.version == "1.4.0")
        #expect(fleet.entries[0].facts.values["site"] == "ward")
        #expect(fleet.entries[0].facts.values["ci"] == "unknown")
        let last = fleet.entries[1].facts
        #expect(last.version == "1.5" && last.osVersion == "22.04")
        #expect(last.values["site"] == "a b" && last.values["os"] == "unknown")
    }

    @Test(
        "What can't be read is refused with its line and what to do",
        arguments: [
            ("", "fleet.csv: the table is empty; its first line names the columns"),
            ("version\n", "fleet.csv: the table has no line after its heading; add one for each kind of app"),
            (
                "os\nlinux\n",
                "fleet.csv, line 1: there is no column \"version\"; the first line names the columns, such as version,os,count"
            ),
            ("version,,os\n1,,x\n", "fleet.csv, line 1: column 2 has no name, or that of an earlier one; rename or remove it"),
            ("version,os,os\n1,x,y\n", "fleet.csv, line 1: column 3 has no name, or that of an earlier one; rename or remove it"),
            (
                "version,os\n1\n",
                "fleet.csv, line 2: the line has 1 fields, and the heading has 2; give every line a field for each column"
            ),
            ("version,count\n1,many\n", "fleet.csv, line 2: the count \"many\" is not a whole number from 0 to 1,000,000,000"),
            ("version,count\n1,-1\n", "fleet.csv, line 2: the count \"-1\" is not a whole number from 0 to 1,000,000,000"),
            (
                "version,os\n1,\"a\"\"b\"\n",
                #"fleet.csv, line 2: "a""b" has a quotation mark inside, or a comma; remove it"#
            ),
            ("version\n1\n\n\"1\n", #"fleet.csv, line 4: ""1" has a quotation mark inside, or a comma; remove it"#),
        ])
    func problems(text: String, problem: String) {
        #expect(throws: (any Error).self) { try Self.fleet(text) }
        do { _ = try Self.fleet(text) } catch { #expect("\(error)" == problem) }
    }

    @Test func theTableIsInUTF8() {
        #expect { try Fleet(csv: Data([0x76, 0xFF]), name: "f") } throws: {
            "\($0)" == "f: the table is not in UTF-8; save it in UTF-8"
        }
    }

    // MARK: Counting

    private static let table = "version,os,count\n1.4.0,linux,1204\n1.4.0,macos,800\n1.6.0,linux,8029\n"

    @Test("Covered apps are counted at each time")
    func counting() throws {
        let rule =
            #"{"id":"a","effect":"update","only":{"versions":[{"below":"1.5.2"}],"is":{"os":["linux"]}},"from":"2026-12-15T00:00:00Z"}"#
        #expect(try Self.covered(Self.table, rule) == 0)
        #expect(try Self.covered(Self.table, rule, at: PlanSample.date("2026-12-15T00:00:00Z")) == 1204)
        #expect(try Self.covered(Self.table, #"{"id":"a","effect":"notice"}"#) == 0)
        #expect(try Self.covered(Self.table, #"{"id":"a","effect":"pause","except":[{"is":{"ci":["true"]}}]}"#) == 10_033)
    }

    @Test("An app belongs to a share in proportion")
    func shares() throws {
        func share(_ id: String, _ share: String, _ draw: String) -> String {
            #"{"id":"\#(id)","effect":"pause","only":{"share":"\#(share)","draw":"\#(draw)"}}"#
        }
        let table = "version,count\n1,1000\n"
        #expect(try Self.covered(table, share("a", "10%", "x")) == 100)
        #expect(try Self.covered(table, share("a", "10%", "x") + "," + share("b", "30%", "x")) == 300)
        #expect(try Self.covered(table, share("a", "10%", "x") + "," + share("b", "30%", "y")) == 370)
        #expect(try Self.covered(table, share("a", "100%", "x")) == 1000)
        let later = #"{"id":"a","effect":"pause","only":{"share":"10%"},"from":"2027-01-01T00:00:00Z"}"#
        #expect(try Self.covered(table, later) == 0)
    }
}
