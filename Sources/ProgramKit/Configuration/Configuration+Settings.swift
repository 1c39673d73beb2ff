import Bellerophon
import BellerophonBase
import BellerophonTrust
import Foundation

extension Configuration {
    /// Every setting, in the order of the file.
    package static let settings: [Setting<Configuration>] = (statusAndContent + updateSettings + presentation + [servicesSetting])
        .map { setting in
            let setting = setting.withDefault(defaults[setting.path])
            return flags[setting.path].map { setting.withFlag($0) } ?? setting
        }

    /// The defaults of the settings that have one.
    private static let defaults = [
        "status.transport": "auto",
        "status.timeout": "10",
        "status.minimumInterval": "1",
        "status.maximumInterval": "3600",
        "status.remember": "true",
        "status.requireTLS": "false",
        "status.maximumAge": "604800",
        "status.whenUnknown": "stay",
        "content.interval": "900",
        "update.whenUnavailable": "cover",
        "display.color": "auto",
        "display.theme": "auto",
        "display.glyphs": "auto",
        "display.motion": "full",
        "display.titles": "auto",
        "display.offers": "true",
        "display.plain": "false",
        "display.mouse": "true",
        "display.hyperlinks": "true",
        "alerts.bell": "true",
        "alerts.title": "true",
        "alerts.notification": "true",
        "hooks.timeout": "10",
    ]

    /// The command-line flags by setting. `--forget` and `--no-mouse` set theirs to false.
    private static let flags = [
        "app.version": "--app-version",
        "app.installID": "--install-id",
        "app.facts": "--fact",
        "status.url": "--status-url",
        "status.transport": "--transport",
        "status.eventsURL": "--events-url",
        "status.timeout": "--timeout",
        "status.interval": "--interval",
        "status.remember": "--forget",
        "status.requireTLS": "--require-tls",
        "trust.keys": "--trust-key",
        "content.servers": "--content-server",
        "display.language": "--lang",
        "display.color": "--color",
        "display.theme": "--theme",
        "display.glyphs": "--glyphs",
        "display.plain": "--plain",
        "display.mouse": "--no-mouse",
    ]

    private static let statusAndContent: [Setting<Configuration>] = [
        .text("app.name", "BELLEROPHON_APP_NAME", "the app's name in the header") { $0.app.name = $1 },
        .text("app.version", "BELLEROPHON_APP_VERSION", "the installed version") { $0.app.version = $1 },
        .orNull(
            .text(
                "app.installID", "BELLEROPHON_INSTALL_ID", expected: "text of 1 to 128 bytes on one line",
                "the text that decides whether this installation belongs to the share of a rule, different for each; null (default) makes one and keeps it in the state folder",
                where: InstallationID.isValid
            ) { $0.app.installID = $1 }, "for the one that is kept"
        ) { $0.app.installID = nil },
        factsSetting,
        .url("status.url", "BELLEROPHON_STATUS_URL", allowsUserInfo: true, "the address of the status document") {
            $0.statusURL = $1
        },
        Setting(
            "status.headers", nil, expected: "an object of header names and text values",
            "header fields of every status request, such as an authorization; only in the file"
        ) { value, configuration in
            guard let headers = headerFields(value) else { return false }
            configuration.headers = headers
            return true
        },
        .choice(
            "status.transport", "BELLEROPHON_TRANSPORT",
            "how statuses arrive; auto polls, and uses a stream where the server offers one"
        ) { $0.transport = $1 },
        .orNull(
            .url(
                "status.eventsURL", "BELLEROPHON_EVENTS_URL", allowsUserInfo: true,
                "the address of the stream; null (default) uses the one that the server names, or with transport stream `events` beside the status"
            ) { $0.eventsURL = $1 }
        ) { $0.eventsURL = nil },
        .seconds(
            "status.timeout", "BELLEROPHON_TIMEOUT", 0.1...300,
            "seconds that one check may take, from its start to the last byte"
        ) {
            $0.timeout = $1
        },
        .orNull(
            .seconds(
                "status.interval", "BELLEROPHON_INTERVAL", 0.1...86400,
                "seconds between checks while the app is active; null (default) uses the status's `retryInterval`"
            ) { $0.activeInterval = $1 }, "for the status's own"
        ) { $0.activeInterval = nil },
        .seconds(
            "status.minimumInterval", "BELLEROPHON_MINIMUM_INTERVAL", 0.1...86400,
            "the shortest wait between checks in seconds, whatever a status requests"
        ) {
            $0.minimumInterval = $1
        },
        .seconds(
            "status.maximumInterval", "BELLEROPHON_MAXIMUM_INTERVAL", 0.1...86400,
            "the longest wait between checks in seconds, whatever a status requests"
        ) {
            $0.maximumInterval = $1
        },
        .flag(
            "status.remember", "BELLEROPHON_REMEMBER",
            "whether the last status is kept, so that a restart does not escape a kill"
        ) {
            $0.remembersStatus = $1
        },
        .flag(
            "status.requireTLS", "BELLEROPHON_REQUIRE_TLS", "whether plain http is refused except to this machine"
        ) {
            $0.requiresTLS = $1
        },
        .orNull(
            .seconds(
                "status.maximumAge", "BELLEROPHON_MAXIMUM_AGE", 1...315_360_000,
                "seconds that a status counts without being confirmed, over restarts too"
            ) { $0.freshness.maximumAge = $1 }, "for no limit"
        ) { $0.freshness.maximumAge = nil },
        .choice(
            "status.whenUnknown", "BELLEROPHON_WHEN_UNKNOWN",
            "what applies while no recent status is known: the app stays as it was (stay), runs (open) or is covered (closed)"
        ) { $0.freshness.whenUnknown = $1 },
        .orNull(
            .text(
                "status.bundled", "BELLEROPHON_BUNDLED_STATUS", expected: "the path of a file",
                "the status document that counts until a server has sent one, in this run or an earlier one"
            ) { $0.bundledStatus = $1 }
        ) { $0.bundledStatus = nil },
        Setting(
            "trust.keys", "BELLEROPHON_TRUST_KEYS",
            expected:
                "at least one public key as bellerophon-server keygen prints it: an array, or text with spaces between keys",
            "trusted public keys; with a key only signed statuses count, and the status URL ends in .jws"
        ) { value, configuration in
            guard let keys = texts(value), !keys.isEmpty, keys.allSatisfy({ (try? TrustedKeys([$0])) != nil }) else {
                return false
            }
            configuration.trustedKeys = keys
            return true
        }
        .expectingText("at least one public key as bellerophon-server keygen prints it, with spaces between keys")
        .refusingEmpty("leave it out only if unsigned statuses are to count"),
        .orNull(
            .text(
                "trust.audience", "BELLEROPHON_TRUST_AUDIENCE", expected: "an app and a channel such as \"default/main\"",
                "the app and channel that a signed status must be for; null (default) derives them from the status URL",
                where: { $0.split(separator: "/").count == 2 }
            ) { $0.audience = $1 }, "for what the status URL says"
        ) { $0.audience = nil },
        Setting(
            "content.servers", "BELLEROPHON_CONTENT_SERVERS",
            expected: "http or https URLs: an array, or text with spaces between them",
            "the servers of newer content (title, links, help); the next one is used where one fails or is behind"
        ) { value, configuration in
            guard let texts = texts(value) else { return false }
            let servers = texts.compactMap { webURL($0) }
            guard servers.count == texts.count else { return false }
            configuration.contentServers = servers
            return true
        }.expectingText("http or https URLs, with spaces between them"),
        .seconds(
            "content.interval", "BELLEROPHON_CONTENT_INTERVAL", 1...604_800,
            "seconds between two checks for newer content"
        ) {
            $0.contentInterval = $1
        },
    ]

    private static let presentation: [Setting<Configuration>] = [
        .orNull(
            .text(
                "display.language", "BELLEROPHON_LANGUAGE",
                expected: "a language tag such as de or pt-BR, or several with commas",
                "the languages of views and messages, the most wanted one first; null (default) takes those of LANGUAGE or the locale",
                where: { LanguagePreference(list: $0) != nil }
            ) { $0.display.language = LanguagePreference(list: $1) }, "for those of the environment"
        ) { $0.display.language = nil },
        .choice(
            "display.color", "BELLEROPHON_COLOR", "how many colours to use; auto asks the terminal and honours NO_COLOR"
        ) {
            $0.display.color = $1
        },
        .text(
            "display.theme", "BELLEROPHON_THEME",
            expected: "auto, dark, light, high-contrast, mono or a name from display.themes",
            "the colours; auto takes dark or light after the terminal's background"
        ) {
            $0.display.themeName = $1
        },
        DisplaySettings.themesSetting,
        .choice(
            "display.glyphs", "BELLEROPHON_GLYPHS",
            "the characters of lines and drawings; auto is ascii on the console of Linux and in a locale without UTF-8"
        ) {
            $0.display.glyphs = $1
        },
        .choice(
            "display.motion", "BELLEROPHON_MOTION",
            "whether the screen moves between two changes; reduced shows times of day in place of bars and countdowns"
        ) {
            $0.display.motion = $1
        },
        .choice(
            "display.titles", "BELLEROPHON_TITLES",
            "the titles of the kill view and the update view; auto draws large letters where there is room, plain is one line of text"
        ) {
            $0.display.titles = $1
        },
        .flag(
            "display.offers", "BELLEROPHON_OFFERS",
            "whether notices offer newer versions; NO_UPDATE_NOTIFIER silences offers, too, and neither silences other notices"
        ) {
            $0.display.showsOffers = $1
        },
        .flag(
            "display.plain", "BELLEROPHON_PLAIN",
            "whether every change, link and action is a line in place of a screen, as for a screen reader"
        ) {
            $0.display.isPlain = $1
        },
        .flag("display.mouse", "BELLEROPHON_MOUSE", "whether the program handles clicks and the wheel") {
            $0.display.usesMouse = $1
        },
        .flag(
            "display.hyperlinks", "BELLEROPHON_HYPERLINKS",
            "whether links are clickable in terminals that support it"
        ) {
            $0.display.usesHyperlinks = $1
        },
        KeySettings.setting,
        .flag("alerts.bell", nil, "whether the terminal's bell rings when the service is paused or released") {
            $0.alerts.ringsBell = $1
        },
        .flag("alerts.title", nil, "whether the terminal's title shows the state") { $0.alerts.setsTitle = $1 },
        .flag(
            "alerts.notification", nil,
            "whether a notification of the desktop is requested when the service is paused or released (OSC 9, OSC 777)"
        ) { $0.alerts.notifies = $1 },
        .orNull(
            .text(
                "hooks.onTransition", nil, expected: "a shell command",
                "the command that runs after every change of the state, with the facts as JSON on standard input; a status can't set it"
            ) { $0.hook.command = $1 }, "for none"
        ) { $0.hook.command = nil },
        .seconds("hooks.timeout", nil, 0.1...3600, "seconds after which the command of a hook is ended") {
            $0.hook.timeLimit = $1
        },
    ]

    fileprivate static func webURL(_ text: String, allowsUserInfo: Bool = false) -> URL? {
        StatusDocument.webAddress(text, allowsUserInfo: allowsUserInfo).flatMap(URL.init(string:))
    }

    /// The strings of an array, or the words of one string; nil for any other value.
    private static func texts(_ value: JSONValue) -> [String]? {
        switch value {
        case .string(let text): return text.split(whereSeparator: \.isWhitespace).map(String.init)
        case .array(let values):
            let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
            return texts.count == values.count ? texts : nil
        default: return nil
        }
    }

    /// Requires names that are tokens, and values without control characters, to prevent header injection
    /// (RFC 9110, section 5).
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

extension Setting<Configuration> {
    /// A setting for the address of a page or a server.
    static func url(
        _ path: String, _ variable: String?, allowsUserInfo: Bool = false, _ help: String, _ set: @escaping Setter<URL>
    ) -> Setting {
        Setting(path, variable, expected: "an http or https URL", help) { value, configuration in
            guard case .string(let text) = value, let url = Configuration.webURL(text, allowsUserInfo: allowsUserInfo) else {
                return false
            }
            set(&configuration, url)
            return true
        }
    }
}
