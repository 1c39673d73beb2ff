import Foundation

/// A script's request to a running program: one line of JSON.
///
/// ```
/// {"command":"select","request":"status","response":"paused"}
/// {"command":"jump","step":2}
/// ```
package enum ControlRequest: Equatable, Sendable {
    case status
    case tell(BarricadeCommand)

    /// The barricade command of the request; nil for ``status``.
    package var command: BarricadeCommand? {
        if case .tell(let command) = self { command } else { nil }
    }
}

extension ControlRequest {
    /// The names of the commands.
    package static let names = ["status", "select", "play", "pause", "step", "jump", "speed", "reset"]

    /// The JSON form of a request. Steps are counted from 1.
    private struct Wire: Codable {
        var command: String
        var request: String?
        var response: String?
        var timeline: String?
        var step: Int?
        var factor: Int?
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
        case "speed":
            let factor = try needed(wire.factor, "factor", wire)
            guard (1...1000).contains(factor) else { throw .refused("expected a speed from 1 to 1000, found \(factor)") }
            return .tell(.speed(factor))
        case "reset": return .tell(.reset(request: wire.request))
        default:
            throw .refused("no command is named \"\(wire.command)\"; there is \(names.joined(separator: ", "))")
        }
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
        }
    }
}
