import Foundation
import StatusModel

extension Fleet {
    /// Reads a table of comma-separated values with a heading (RFC 4180).
    /// - Parameters:
    ///   - csv: the table, in UTF-8.
    ///   - name: its name for sentences and errors, such as `fleet.csv`.
    /// - Throws: ``FleetError``.
    package init(csv: Data, name: String) throws(FleetError) {
        func problem(_ text: String, line: Int? = nil) -> FleetError { FleetError(name: name, line: line, problem: text) }
        guard csv.count <= Self.sizeLimit else {
            throw problem("the table has more than 16 MiB; join apps with the same facts in one line with a count")
        }
        let body = csv.starts(with: [0xEF, 0xBB, 0xBF]) ? csv.dropFirst(3) : csv
        guard let text = String(validating: body, as: UTF8.self) else {
            throw problem("the table is not in UTF-8; save it in UTF-8")
        }
        var reader = CSVReader(text, name: name)
        guard let heading = try reader.next() else { throw problem("the table is empty; its first line names the columns") }
        let columns = try Self.columns(heading, name: name)
        var counts: [[String]: Int] = [:]
        var order: [[String]] = []
        var lines = 0
        while let record = try reader.next() {
            lines += 1
            guard lines <= Self.lineLimit else {
                throw problem(
                    "the table has more than 100,000 lines; join apps with the same facts in one line with a count",
                    line: record.line)
            }
            guard record.fields.count == columns.count else {
                throw problem(
                    "the line has \(record.fields.count) fields, and the heading has \(columns.count); give every line a field for each column",
                    line: record.line)
            }
            let (key, count) = try Self.app(columns, record, name: name)
            if counts[key] == nil { order.append(key) }
            let (sum, isTooLarge) = counts[key, default: 0].addingReportingOverflow(count)
            guard !isTooLarge else { throw problem("the counts are too large to add", line: record.line) }
            counts[key] = sum
        }
        guard !order.isEmpty else { throw problem("the table has no line after its heading; add one for each kind of app") }
        self.init(
            name: name, columns: columns,
            entries: order.map { Entry(facts: Self.facts(columns, $0), count: counts[$0] ?? 0) })
    }

    private static func columns(_ heading: CSVReader.Record, name: String) throws(FleetError) -> [String] {
        let columns = heading.fields.map { $0.trimmingCharacters(in: .whitespaces) }
        func problem(_ text: String) -> FleetError { FleetError(name: name, line: heading.line, problem: text) }
        for (index, column) in columns.enumerated() {
            if column.isEmpty { throw problem("column \(index + 1) has no name; name it after a fact, or remove it") }
            if column.utf8.count > 64 { throw problem("the name of column \(index + 1) has more than 64 bytes; shorten it") }
            if columns[..<index].contains(column) {
                throw problem("two columns are named \(PlanWords.quoted(column)); remove one")
            }
        }
        guard columns.contains("version") else {
            throw problem("there is no column \"version\"; the first line names the columns, such as version,os,count")
        }
        return columns
    }

    /// The fields of a line without its count, which is beside them. Lines with the same fields are joined.
    private static func app(
        _ columns: [String], _ record: CSVReader.Record, name: String
    ) throws(FleetError) -> (fields: [String], count: Int) {
        var fields = record.fields.map { $0.trimmingCharacters(in: .whitespaces) }
        func problem(_ text: String) -> FleetError { FleetError(name: name, line: record.line, problem: text) }
        var count = 1
        if let index = columns.firstIndex(of: "count"), !fields[index].isEmpty {
            guard let number = Int(fields[index]), (0...countLimit).contains(number) else {
                throw problem("the count \(PlanWords.quoted(fields[index])) is not a whole number from 0 to 1,000,000,000")
            }
            count = number
            fields[index] = ""
        }
        if let index = columns.firstIndex(of: "id"), !fields[index].isEmpty {
            guard fields[index].utf8.count <= 128 else {
                throw problem("the id has more than 128 bytes; no client has such an id")
            }
            guard count <= 1 else {
                throw problem("the line has an id, which is one installation, and the count \(count); remove one of both")
            }
        }
        return (fields, count)
    }

    private static func facts(_ columns: [String], _ fields: [String]) -> AppFacts {
        var facts = AppFacts()
        // Every client finds out these facts about itself.
        for name in AppFacts.namesOfEveryClient { facts.values[name] = "unknown" }
        for (column, field) in zip(columns, fields) where !field.isEmpty {
            switch column {
            case "version": facts.version = field
            case "osVersion": facts.osVersion = field
            case "id": facts.installID = field
            case "count": continue
            default: facts.values[column] = field
            }
        }
        return facts
    }
}

/// Reads comma-separated values, a record at a time (RFC 4180). Lines without any character are left out.
private struct CSVReader {
    struct Record {
        /// The line on which the record begins, from 1 on.
        let line: Int
        let fields: [String]
    }

    private let bytes: [UInt8]
    private let name: String
    private var index = 0
    private var line = 1

    private static let (quote, comma, feed) = (UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"))

    init(_ text: String, name: String) {
        bytes = Array(text.utf8)
        self.name = name
    }

    mutating func next() throws(FleetError) -> Record? {
        while endLine() {}
        guard index < bytes.count else { return nil }
        let start = line
        var fields: [String] = []
        while true {
            fields.append(try field())
            if index == bytes.count || endLine() { return Record(line: start, fields: fields) }
            index += 1  // the comma
        }
    }

    /// Passes the end of a line; false if there is none here.
    private mutating func endLine() -> Bool {
        let length = lineEnd
        index += length
        if length > 0 { line += 1 }
        return length > 0
    }

    /// The bytes of the end of a line that is here, 0 for none.
    private var lineEnd: Int {
        let rest = bytes[index...]
        return rest.first == Self.feed ? 1 : rest.starts(with: "\r\n".utf8) ? 2 : 0
    }

    /// Reads a field up to a comma, the end of the line or the end of the table.
    private mutating func field() throws(FleetError) -> String {
        guard index < bytes.count, bytes[index] == Self.quote else {
            let start = index
            while index < bytes.count, bytes[index] != Self.comma, lineEnd == 0 {
                guard bytes[index] != Self.quote else {
                    throw problem(
                        "a quotation mark is inside a field; put the whole field in quotation marks, and double it", line)
                }
                index += 1
            }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }
        return try quotedField()
    }

    private mutating func quotedField() throws(FleetError) -> String {
        let start = line
        var text: [UInt8] = []
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == Self.feed { line += 1 }
            guard byte == Self.quote else {
                text.append(byte)
                continue
            }
            if index < bytes.count, bytes[index] == Self.quote {
                text.append(byte)
                index += 1
                continue
            }
            guard index == bytes.count || bytes[index] == Self.comma || lineEnd > 0 else {
                throw problem("there is text after a closing quotation mark; put a comma there, or double the mark", line)
            }
            return String(decoding: text, as: UTF8.self)
        }
        throw problem("a quotation mark is never closed; add one at the end of the field", start)
    }

    private func problem(_ text: String, _ line: Int) -> FleetError { FleetError(name: name, line: line, problem: text) }
}
