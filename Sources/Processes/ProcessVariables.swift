internal import CPty
import Foundation

/// The variables of a process, as bytes: a value need not be UTF-8, and reaches a child unchanged.
package struct ProcessVariables: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    /// The variables, as `NAME=VALUE`.
    package private(set) var entries: [[UInt8]]

    package init(entries: [[UInt8]]) { self.entries = entries }

    package init(_ variables: [String: String]) {
        entries = variables.map { Array("\($0.key)=\($0.value)".utf8) }
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(Dictionary(elements) { _, last in last })
    }

    /// The variables of this process.
    package static var current: ProcessVariables {
        var entries: [[UInt8]] = []
        guard var next = cpty_environment() else { return ProcessVariables(entries: []) }
        while let entry = next.pointee {
            entries.append(Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry))))
            next += 1
        }
        return ProcessVariables(entries: entries)
    }

    /// The value of a variable, with bytes that are not UTF-8 replaced. A new value replaces every former one of that name; nil removes it.
    package subscript(name: String) -> String? {
        get { bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }
        set {
            let prefix = Array("\(name)=".utf8)
            entries.removeAll { $0.starts(with: prefix) }
            if let newValue { entries.append(prefix + Array(newValue.utf8)) }
        }
    }

    /// The value of the first variable of a name.
    package func bytes(of name: String) -> ArraySlice<UInt8>? {
        let prefix = Array("\(name)=".utf8)
        return entries.first { $0.starts(with: prefix) }?.dropFirst(prefix.count)
    }

    /// The variables as texts, with bytes that are not UTF-8 replaced. The first one of a name counts.
    package var texts: [String: String] {
        let named = entries.compactMap { entry -> (String, String)? in
            guard let end = entry.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            return (String(decoding: entry[..<end], as: UTF8.self), String(decoding: entry[(end + 1)...], as: UTF8.self))
        }
        return Dictionary(named) { first, _ in first }
    }

    /// The same variables with some replaced; nil removes one.
    package func changed(by changes: [String: String?]) -> ProcessVariables {
        var changed = self
        for (name, value) in changes { changed[name] = value }
        return changed
    }
}
