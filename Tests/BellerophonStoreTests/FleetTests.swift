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
        return try Self.fleet(fleet).coverage(of: document, at: time).covered
    }

    @Test("Columns with a meaning of their own and facts are read, and equal lines are joined")
    func reading() throws {
        let fleet = try Self.fleet(
            "\u{FEFF}version,count,osVersion,id,os,site\r\n1.4.0,3,,,linux,ward\r\n\r\n1.4.0,,,,linux,ward\r\n\"1.5\",,22.04,i-7,,\"a \"\"b\"\", c\"\r\n"
        )
        #expect(fleet.count == 5)
        #expect(fleet.entries.map(\.count) == [4, 1])
        #expect(fleet.entries[0].facts.version == "1.4.0")
        #expect(fleet.entries[0].facts.values["site"] == "ward")
        #expect(fleet.entries[0].facts.values["ci"] == "unknown")
        let last = fleet.entries[1].facts
        #expect(last.osVersion == "22.04" && last.installID == "i-7")
        #expect(last.values["site"] == "a \"b\", c" && last.values["os"] == "unknown")
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
            ("version,,os\n1,,x\n", "fleet.csv, line 1: column 2 has no name; name it after a fact, or remove it"),
            ("version,os,os\n1,x,y\n", "fleet.csv, line 1: two columns are named \"os\"; remove one"),
            (
                "version,os\n1\n",
                "fleet.csv, line 2: the line has 1 fields, and the heading has 2; give every line a field for each column"
            ),
            ("version,count\n1,many\n", "fleet.csv, line 2: the count \"many\" is not a whole number from 0 to 1,000,000,000"),
            ("version,count\n1,-1\n", "fleet.csv, line 2: the count \"-1\" is not a whole number from 0 to 1,000,000,000"),
            (
                "version,id,count\n1,a,2\n",
                "fleet.csv, line 2: the line has an id, which is one installation, and the count 2; remove one of both"
            ),
            ("version\n\"1\n2\n", "fleet.csv, line 2: a quotation mark is never closed; add one at the end of the field"),
            (
                "version\n\"1\n2\"3\n",
                "fleet.csv, line 3: there is text after a closing quotation mark; put a comma there, or double the mark"
            ),
            (
                "version\n1\"2\n",
                "fleet.csv, line 2: a quotation mark is inside a field; put the whole field in quotation marks, and double it"
            ),
        ])
    func problems(text: String, problem: String) {
        #expect(throws: (any Error).self) { try Self.fleet(text) }
        do { _ = try Self.fleet(text) } catch { #expect("\(error)" == problem) }
    }

    @Test("The table has limits, and must be in UTF-8")
    func limits() {
        let long = "version\n" + String(repeating: "1\n", count: Fleet.lineLimit + 1)
        #expect { try Self.fleet(long) } throws: {
            "\($0)".hasPrefix("fleet.csv, line 100002: the table has more than 100,000 lines")
        }
        let large = Data(repeating: UInt8(ascii: "x"), count: Fleet.sizeLimit + 1)
        #expect { try Fleet(csv: large, name: "f") } throws: { "\($0)".hasPrefix("f: the table has more than 16 MiB") }
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

    @Test("Without an id an app belongs to a share in proportion")
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

    @Test("With an id an app is inside a share or outside")
    func sharesOfIDs() throws {
        let ids = (0..<400).map { "i\($0)" }
        let table = "version,id\n" + ids.map { "1,\($0)\n" }.joined()
        let inside = ids.filter { Share.number(of: $0, draw: "x").map { $0 < 3000 } ?? false }.count
        #expect(try Self.covered(table, #"{"id":"a","effect":"pause","only":{"share":"30%","draw":"x"}}"#) == inside)
    }

    @Test("A part is told in words")
    func words() {
        func text(_ covered: Int, _ count: Int) -> String { FleetPart(covered: covered, of: count).text(fleet: "f.csv") }
        #expect(text(1204, 10_033) == "about 12 % of the fleet of f.csv (1,204 of 10,033)")
        #expect(text(0, 10) == "nothing of the fleet of f.csv (0 of 10)")
        #expect(text(10, 10) == "100 % of the fleet of f.csv (10 of 10)")
        #expect(text(1, 1_234_567) == "less than 1 % of the fleet of f.csv (1 of 1,234,567)")
        #expect(text(999, 1000) == "more than 99 % of the fleet of f.csv (999 of 1,000)")
    }

    @Test("Columns that rules compare and the table lacks are named")
    func missingColumns() throws {
        let rules =
            #"{"id":"a","effect":"pause","only":{"is":{"os":["linux"],"site":["ward"]},"osVersions":[{"below":"2"}]},"except":[{"is":{"ci":["true"]}}]}"#
        let document = try StatusDocument(json: Data(PlanSample.document(rules).utf8))
        #expect(try Set(Self.fleet(Self.table).missingColumns(for: document)) == ["osVersion", "site", "ci"])
    }
}
