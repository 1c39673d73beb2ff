import Barricade
import Foundation

/// A script's request to a running program: one line of JSON.
///
/// ```
/// {"command":"select","request":"status","response":"paused"}
/// {"command":"jump","step":2}
/// {"command":"client","version":"1.5.2","facts":{"os":"macos"},"forget":["osVersion"]}
/// {"command":"time","by":7200}
/// ```
package enum ControlRequest: Equatable, Sendable {
    case status
    case tell(BarricadeCommand)
    /// A command that depends on the state of the app.
    case shortcut(BarricadeShortcut)

    /// The barricade command of the request; nil for the others.
    package var command: BarricadeCommand? {
        if case .tell(let command) = self { command } else { nil }
    }
}

extension ControlRequest {
    /// The names of the commands.
    package static let names = ["status", "select", "play", "pause", "step", "jump", "speed", "reset", "client", "time"]

    /// The JSON form of a request. Steps are counted from 1.
    private struct Wire: Codable {
        var command: String
        var request: String?
        var response: String?
        var timeline: String?
        var step: Int?
        var factor: Int?
        var version: String?
        var osVersion: String?
        var installID: String?
        var facts: [String: String]?
        /// What is not known any more: `version`, `osVersion`, `installID`, or the names of facts.
        var forget: [String]?
        /// Whether the app and the time are the real ones again.
        var real: Bool?
        /// Seconds; below zero for back.
        var by: Double?
        /// A time, or `next` for the next change that a rule causes.
        var to: String?
    }

    /// Parses a line.
    /// - Throws: ``ControlError/refused(_:)`` with the expected form.
    package init(line: String) throws(ControlError) {
        let wire: Wire
        do {
            wire = try JSONDecoder().decode(Wire.self, from: Data(line.utf8))
        } catch {
            throw .refused("expected a JSON object with a command, such as {\"command\":\"status\"}")
        }
        self = try Self.request(wire)
    }

    private static func request(_ wire: Wire) throws(ControlError) -> ControlRequest {
        switch wire.command {
        case "status": return .status
        case "select":
            let request = try needed(wire.request, "request", wire)
            return .tell(.select(request: request, response: try needed(wire.response, "response", wire)))
        case "play": return .tell(wire.timeline.map { .play($0) } ?? .resume(request: wire.request))
        case "pause": return .tell(.pause(request: wire.request))
        case "step": return .tell(.step(request: wire.request))
        case "jump":
            let step = try needed(wire.step, "step", wire)
            guard step >= 1 else { throw .refused("there is no step \(step); steps are counted from 1") }
            return .tell(.jump(to: step - 1, request: wire.request))
        case "speed": return try .speed(try needed(wire.factor, "factor", wire))
        case "reset": return .tell(.reset(request: wire.request))
        case "client": return try client(wire)
        case "time": return try time(wire)
        default:
            throw .refused("no command is named \"\(wire.command)\"; there is \(names.joined(separator: ", "))")
        }
    }

    /// Sets how many times as fast as the clock timelines run.
    package static func speed(_ factor: Int) throws(ControlError) -> ControlRequest {
        guard (1...1000).contains(factor) else { throw .refused("expected a speed from 1 to 1000, found \(factor)") }
        return .tell(.speed(factor))
    }

    private static func client(_ wire: Wire) throws(ControlError) -> ControlRequest {
        if wire.real == true { return .tell(.resetClient) }
        var change = ClientChange()
        change.version = try wire.version.map { text throws(ControlError) in try fact(text, "version") }
        change.osVersion = try wire.osVersion.map { text throws(ControlError) in try fact(text, "osVersion") }
        change.installID = try wire.installID.map { text throws(ControlError) in try fact(text, "installID") }
        guard (wire.facts ?? [:]).count <= ClientChange.factLimit else {
            throw .refused("expected at most \(ClientChange.factLimit) facts")
        }
        for (name, value) in wire.facts ?? [:] {
            guard (1...ClientChange.nameLimit).contains(name.utf8.count), value.utf8.count <= ClientChange.valueLimit else {
                throw .refused(
                    "expected a fact's name of 1 to \(ClientChange.nameLimit) bytes, and a value of at most "
                        + "\(ClientChange.valueLimit)")
            }
            change.facts[name] = .known(value)
        }
        change.forget(wire.forget ?? [])
        return change.isEmpty ? .status : .tell(.client(change))
    }

    private static func fact(_ text: String, _ name: String) throws(ControlError) -> ClientChange.Fact {
        guard text.utf8.count <= ClientChange.textLimit else {
            throw .refused("\(name): expected at most \(ClientChange.textLimit) bytes")
        }
        return .known(text)
    }

    private static func time(_ wire: Wire) throws(ControlError) -> ControlRequest {
        if let seconds = wire.by {
            guard abs(seconds) <= TimeStep.limit else { throw .refused("expected a step of at most ten years") }
            return .tell(.moveTime(.seconds(seconds)))
        }
        guard let text = wire.to else { throw .refused("\"time\" needs \"by\" or \"to\"") }
        if text == "next" { return .shortcut(.nextChange) }
        guard let time = SimulatedTime(text) else {
            throw .refused("expected a time in UTC such as 2026-12-05T21:55:00Z, found \(text)")
        }
        return .tell(.setTime(time))
    }

    private static func needed<Value>(_ value: Value?, _ key: String, _ wire: Wire) throws(ControlError) -> Value {
        guard let value else { throw .refused("\"\(wire.command)\" needs \"\(key)\"") }
        return value
    }

    /// The request as a line, without its terminator.
    package var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(wire) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    private var wire: Wire {
        switch self {
        case .status: Wire(command: "status")
        case .tell(.select(let request, let response)): Wire(command: "select", request: request, response: response)
        case .tell(.play(let name)): Wire(command: "play", timeline: name)
        case .tell(.resume(let request)): Wire(command: "play", request: request)
        case .tell(.pause(let request)): Wire(command: "pause", request: request)
        case .tell(.step(let request)): Wire(command: "step", request: request)
        case .tell(.jump(let step, let request)): Wire(command: "jump", request: request, step: step + 1)
        case .tell(.speed(let factor)): Wire(command: "speed", factor: factor)
        case .tell(.reset(let request)): Wire(command: "reset", request: request)
        case .tell(.client(let change)): Self.wire(change)
        case .tell(.moveTime(let span)): Wire(command: "time", by: span / .seconds(1))
        case .tell(.setTime(let time)): Wire(command: "time", to: time.text)
        case .tell(.resetClient): Wire(command: "client", real: true)
        case .shortcut: Wire(command: "time", to: "next")
        }
    }

    private static func wire(_ change: ClientChange) -> Wire {
        let fields = [("version", change.version), ("osVersion", change.osVersion), ("installID", change.installID)]
        let forgotten =
            fields.filter { $0.1 == .unknown }.map(\.0)
            + change.facts.filter { $0.value == .unknown }.map(\.key).sorted()
        let facts = change.facts.compactMapValues(\.text)
        return Wire(
            command: "client", version: change.version?.text, osVersion: change.osVersion?.text,
            installID: change.installID?.text, facts: facts.isEmpty ? nil : facts, forget: forgotten.isEmpty ? nil : forgotten)
    }
}

extension ClientChange {
    /// Makes the app forget its version, that of its system, its id, or facts, by name.
    package mutating func forget(_ names: [String]) {
        for name in names {
            switch name {
            case "version": version = .unknown
            case "osVersion": osVersion = .unknown
            case "installID": installID = .unknown
            default: facts[name] = .unknown
            }
        }
    }
}
