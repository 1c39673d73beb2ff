import Bellerophon
import BellerophonBase
import BellerophonTrust
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
        flag("status.requireTLS", "BELLEROPHON_REQUIRE_TLS", "whether plain http is refused, but to this machine itself") {
            $0.requiresTLS = $1
        },
        Setting(
            path: "status.maximumAge", variable: "BELLEROPHON_MAXIMUM_AGE",
            expected: "a number of seconds from 1 to 315360000, or null for no limit",
            help: "how long a status may be relied on without being confirmed, over restarts too"
        ) { value, configuration in
            if value == .null { configuration.freshness.maximumAge = nil; return true }
            guard let age = duration(value, in: 1...315_360_000) else { return false }
            configuration.freshness.maximumAge = age
            return true
        },
        Setting(
            path: "status.whenUnknown", variable: "BELLEROPHON_WHEN_UNKNOWN",
            expected: "one of \(UnknownPolicy.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))",
            help: "what holds where nothing is known, or nothing recent: the app stays as it was, runs (open), or is covered (closed)"
        ) { value, configuration in
            guard case .string(let text) = value, let policy = UnknownPolicy(rawValue: text) else { return false }
            configuration.freshness.whenUnknown = policy
            return true
        },
        Setting(
            path: "status.bundled", variable: "BELLEROPHON_BUNDLED_STATUS", expected: "the path of a file, or null",
            help: "a status document that holds until a server has said something, in this run or an earlier one"
        ) { value, configuration in
            if value == .null { configuration.bundledStatus = nil; return true }
            guard case .string(let text) = value, isPlainText(text) else { return false }
            configuration.bundledStatus = text
            return true
        },
        Setting(
            path: "trust.keys", variable: "BELLEROPHON_TRUST_KEYS",
            expected: "public keys as bellerophon-server keygen prints them: an array, or text with spaces between them",
            help: "whose signatures count; with a key only signed statuses change anything, and the status URL ends in .jws"
        ) { value, configuration in
            guard let keys = texts(value), keys.allSatisfy({ (try? TrustedKeys([$0])) != nil }) else { return false }
            configuration.trustedKeys = keys
            return true
        },
        Setting(
            path: "trust.audience", variable: "BELLEROPHON_TRUST_AUDIENCE",
            expected: "an app and a channel such as \"default/main\", or null for what the status URL says",
            help: "whom a signed status must be for"
        ) { value, configuration in
            if value == .null { configuration.audience = nil; return true }
            guard case .string(let text) = value, isPlainText(text), text.split(separator: "/").count == 2 else { return false }
            configuration.audience = text
            return true
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
            guard case .string(let text) = value, isPlainText(text) else { return false }
            set(&configuration, text)
            return true
        }
    }

    private static func isPlainText(_ text: String) -> Bool {
        !text.trimmingCharacters(in: .whitespaces).isEmpty
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
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
        guard let texts = texts(value) else { return nil }
        let urls = texts.compactMap { webURL($0) }
        return urls.count == texts.count ? urls : nil
    }

    /// An array of texts, or one text with spaces between them.
    private static func texts(_ value: JSONValue) -> [String]? {
        switch value {
        case .string(let text): return text.split(whereSeparator: \.isWhitespace).map(String.init)
        case .array(let values):
            let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            return texts.count == values.count ? texts : nil
        default: return nil
        }
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
