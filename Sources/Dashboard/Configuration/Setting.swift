import Bellerophon
import Foundation

/// One setting: its place in the file, its variable, what it takes, and how it enters the configuration.
///
/// The list of them is the only place that knows the settings: the file reader, the environment reader, the
/// flags and the tests of `config.example.json` all go through it.
public struct Setting: Sendable {
    /// The path in the file: `status.interval`.
    public let path: String
    /// The environment variable; nil where a variable makes no sense.
    public let variable: String?
    /// What it takes, as an error message says it: "a number of seconds above 0".
    public let expected: String
    /// What it does, in one sentence.
    public let help: String
    /// Puts a value into the configuration; false where the value is not as expected.
    let apply: @Sendable (JSONValue, inout Configuration) -> Bool

    /// Every setting, in the file's order.
    public static let all: [Setting] = [
        text("app.name", "BELLEROPHON_APP_NAME", "the app's name in the header") { $0.app.name = $1 },
        text("app.version", "BELLEROPHON_APP_VERSION", "the installed version") { $0.app.version = $1 },
        Setting(
            path: "status.url", variable: "BELLEROPHON_STATUS_URL", expected: "an http or https URL",
            help: "where the status document is asked for"
        ) { value, configuration in
            guard case .string(let text) = value, let url = webURL(text, allowsUserInfo: true) else { return false }
            configuration.statusURL = url
            return true
        },
        Setting(
            path: "status.headers", variable: nil, expected: "an object of header names and text values",
            help: "header fields sent with every status request, such as an authorization"
        ) { value, configuration in
            guard let headers = headerFields(value) else { return false }
            configuration.headers = headers
            return true
        },
        Setting(
            path: "status.transport", variable: "BELLEROPHON_TRANSPORT",
            expected: "one of \(Transport.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))",
            help: "how statuses come: asked for (poll), pushed over a stream (stream), or both, as the server can (auto)"
        ) { value, configuration in
            guard case .string(let text) = value, let transport = Transport(rawValue: text) else { return false }
            configuration.transport = transport
            return true
        },
        Setting(
            path: "status.eventsURL", variable: "BELLEROPHON_EVENTS_URL", expected: "an http or https URL, or null",
            help: "the stream of status changes; null listens where the server says, with transport stream at events beside the status"
        ) { value, configuration in
            if value == .null { configuration.eventsURL = nil; return true }
            guard case .string(let text) = value, let url = webURL(text, allowsUserInfo: true) else { return false }
            configuration.eventsURL = url
            return true
        },
        seconds("status.timeout", "BELLEROPHON_TIMEOUT", 0.1...300, "the time limit of one check, from its start to the last byte") {
            $0.timeout = $1
        },
        Setting(
            path: "status.interval", variable: "BELLEROPHON_INTERVAL",
            expected: "a number of seconds from 0.1 to 86400, or null for the status's own",
            help: "the wait between checks while nothing is wrong; null takes the status's own"
        ) { value, configuration in
            if value == .null { configuration.activeInterval = nil; return true }
            guard let wait = duration(value, in: 0.1...86400) else { return false }
            configuration.activeInterval = wait
            return true
        },
        seconds("status.minimumInterval", "BELLEROPHON_MINIMUM_INTERVAL", 0.1...86400, "no wait is shorter, whatever a status asks for") {
            $0.minimumInterval = $1
        },
        seconds("status.maximumInterval", "BELLEROPHON_MAXIMUM_INTERVAL", 0.1...86400, "no wait is longer, whatever a status asks for") {
            $0.maximumInterval = $1
        },
        flag("status.remember", "BELLEROPHON_REMEMBER", "whether a restart goes on where a kill left off") {
            $0.remembersStatus = $1
        },
        Setting(
            path: "content.servers", variable: "BELLEROPHON_CONTENT_SERVERS",
            expected: "http or https URLs: an array, or text with spaces between them",
            help: "who is asked for newer content: title, links and help; the next one where one fails or is behind"
        ) { value, configuration in
            guard let servers = addresses(value) else { return false }
            configuration.contentServers = servers
            return true
        },
        seconds("content.interval", "BELLEROPHON_CONTENT_INTERVAL", 1...604_800, "the wait between two looks for newer content") {
            $0.contentInterval = $1
        },
        Setting(
            path: "update.link", variable: "BELLEROPHON_UPDATE_LINK", expected: "an http or https URL",
            help: "where to get an update, when the status doesn't say"
        ) { value, configuration in
            guard case .string(let text) = value, webURL(text) != nil else { return false }
            configuration.app.link = text
            return true
        },
        text("update.command", "BELLEROPHON_UPDATE_COMMAND", "the shell command that the key u runs; a status can't set it") {
            $0.app.updateCommand = $1
        },
        Setting(
            path: "display.color", variable: "BELLEROPHON_COLOR",
            expected: "one of \(ColorChoice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))",
            help: "how many colours to use; auto asks the terminal and honours NO_COLOR"
        ) { value, configuration in
            guard case .string(let text) = value, let choice = ColorChoice(rawValue: text) else { return false }
            configuration.color = choice
            return true
        },
        flag("display.mouse", "BELLEROPHON_MOUSE", "whether clicks and the wheel are taken") { $0.usesMouse = $1 },
        flag("display.hyperlinks", "BELLEROPHON_HYPERLINKS", "whether links are made clickable in terminals that can") {
            $0.usesHyperlinks = $1
        },
    ]
}

extension Setting {
    private static func text(
        _ path: String, _ variable: String, _ help: String, _ set: @escaping @Sendable (inout Configuration, String) -> Void
    ) -> Setting {
        Setting(path: path, variable: variable, expected: "text that is not empty, on one line", help: help) { value, configuration in
            guard case .string(let text) = value, !text.trimmingCharacters(in: .whitespaces).isEmpty,
                text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
            else { return false }
            set(&configuration, text)
            return true
        }
    }

    private static func flag(
        _ path: String, _ variable: String, _ help: String, _ set: @escaping @Sendable (inout Configuration, Bool) -> Void
    ) -> Setting {
        Setting(path: path, variable: variable, expected: "true or false", help: help) { value, configuration in
            guard case .bool(let flag) = value else { return false }
            set(&configuration, flag)
            return true
        }
    }

    private static func seconds(
        _ path: String, _ variable: String, _ range: ClosedRange<Double>, _ help: String,
        _ set: @escaping @Sendable (inout Configuration, Duration) -> Void
    ) -> Setting {
        let expected = "a number of seconds from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
        return Setting(path: path, variable: variable, expected: expected, help: help) { value, configuration in
            guard let wait = duration(value, in: range) else { return false }
            set(&configuration, wait)
            return true
        }
    }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }

    private static func duration(_ value: JSONValue, in range: ClosedRange<Double>) -> Duration? {
        guard case .number(let seconds) = value, range.contains(seconds) else { return nil }
        return .seconds(seconds)
    }

    private static func webURL(_ text: String, allowsUserInfo: Bool = false) -> URL? {
        StatusDocument.webAddress(text, allowsUserInfo: allowsUserInfo).flatMap(URL.init(string:))
    }

    private static func addresses(_ value: JSONValue) -> [URL]? {
        let texts: [JSONValue]
        switch value {
        case .array(let values): texts = values
        case .string(let text): texts = text.split(whereSeparator: \.isWhitespace).map { .string(String($0)) }
        default: return nil
        }
        var urls: [URL] = []
        for value in texts {
            guard case .string(let text) = value, let url = webURL(text) else { return nil }
            urls.append(url)
        }
        return urls
    }

    /// Names must be tokens and values printable, so that no header can smuggle in another (RFC 9110, section 5).
    private static func headerFields(_ value: JSONValue) -> [String: String]? {
        guard case .object(let fields) = value else { return nil }
        let tokens = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        var headers: [String: String] = [:]
        for (name, value) in fields {
            guard case .string(let text) = value, !name.isEmpty, name.allSatisfy(tokens.contains),
                text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
            else { return nil }
            headers[name] = text
        }
        return headers
    }
}
