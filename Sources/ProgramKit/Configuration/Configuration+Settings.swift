import Bellerophon
import BellerophonBase
import BellerophonTrust
import Foundation

extension Configuration {
    /// Every setting, in the order of the file.
    package static let settings: [Setting<Configuration>] = statusAndContent + updateSettings + presentation + [servicesSetting]

    private static let statusAndContent: [Setting<Configuration>] = [
        .text("app.name", "BELLEROPHON_APP_NAME", "the app's name in the header") { $0.app.name = $1 },
        .text("app.version", "BELLEROPHON_APP_VERSION", "the installed version") { $0.app.version = $1 }
            .withFlag("--app-version"),
        .text(
            "app.installID", "BELLEROPHON_INSTALL_ID", expected: "text of 1 to 128 bytes on one line",
            "the text that decides whether this installation belongs to the share of a rule, different for each; null (default) makes one and keeps it in the state folder",
            where: InstallationID.isValid
        ) { $0.app.installID = $1 }.orNull("for the one that is kept") { $0.app.installID = nil }.withFlag("--install-id"),
        factsSetting,
        .url("status.url", "BELLEROPHON_STATUS_URL", allowsUserInfo: true, "the address of the status document") {
            $0.statusURL = $1
        }
        .withFlag("--status-url"),
        Setting(
            "status.headers", nil, expected: "an object of header names and text values",
            "header fields of every status request, such as an authorization; only in the file", reading: headerFields
        ) { $0.headers = $1 },
        .choice(
            "status.transport", "BELLEROPHON_TRANSPORT",
            "how statuses arrive; auto polls, and uses a stream where the server offers one"
        ) { $0.transport = $1 }.withDefault("auto").withFlag("--transport"),
        .url(
            "status.eventsURL", "BELLEROPHON_EVENTS_URL", allowsUserInfo: true,
            "the address of the stream; null (default) uses the one that the server names, or with transport stream `events` beside the status"
        ) { $0.eventsURL = $1 }.orNull { $0.eventsURL = nil }.withFlag("--events-url"),
        .seconds(
            "status.timeout", "BELLEROPHON_TIMEOUT", 0.1...300,
            "seconds that one check may take, from its start to the last byte"
        ) { $0.timeout = $1 }.withDefault("10").withFlag("--timeout"),
        .seconds(
            "status.interval", "BELLEROPHON_INTERVAL", 0.1...86400,
            "seconds between checks while the app is active; null (default) uses the status's `retryInterval`"
        ) { $0.activeInterval = $1 }.orNull("for the status's own") { $0.activeInterval = nil }.withFlag("--interval"),
        .seconds(
            "status.minimumInterval", "BELLEROPHON_MINIMUM_INTERVAL", 0.1...86400,
            "the shortest wait between checks in seconds, whatever a status requests"
        ) { $0.minimumInterval = $1 }.withDefault("1"),
        .seconds(
            "status.maximumInterval", "BELLEROPHON_MAXIMUM_INTERVAL", 0.1...86400,
            "the longest wait between checks in seconds, whatever a status requests"
        ) { $0.maximumInterval = $1 }.withDefault("3600"),
        .flag(
            "status.remember", "BELLEROPHON_REMEMBER",
            "whether the last status is kept, so that a restart does not escape a kill"
        ) { $0.remembersStatus = $1 }.withDefault("true").withFlag("--forget"),
        .flag(
            "status.requireTLS", "BELLEROPHON_REQUIRE_TLS", "whether plain http is refused except to this machine"
        ) { $0.requiresTLS = $1 }.withDefault("false").withFlag("--require-tls"),
        .seconds(
            "status.maximumAge", "BELLEROPHON_MAXIMUM_AGE", 1...315_360_000,
            "seconds that a status counts without being confirmed, over restarts too"
        ) { $0.freshness.maximumAge = $1 }.orNull("for no limit") { $0.freshness.maximumAge = nil }.withDefault("604800"),
        .choice(
            "status.whenUnknown", "BELLEROPHON_WHEN_UNKNOWN",
            "what applies while no recent status is known: the app stays as it was (stay), runs (open) or is covered (closed)"
        ) { $0.freshness.whenUnknown = $1 }.withDefault("stay"),
        .text(
            "status.bundled", "BELLEROPHON_BUNDLED_STATUS", expected: "the path of a file",
            "the status document that counts until a server has sent one, in this run or an earlier one"
        ) { $0.bundledStatus = $1 }.orNull { $0.bundledStatus = nil },
        Setting(
            "trust.keys", "BELLEROPHON_TRUST_KEYS",
            expected:
                "at least one public key as bellerophon-server keygen prints it: an array, or text with spaces between keys",
            "trusted public keys; with a key only signed statuses count, and the status URL ends in .jws",
            reading: {
                guard let keys = $0.words, !keys.isEmpty, keys.allSatisfy({ (try? TrustedKeys([$0])) != nil }) else { return nil }
                return keys
            }
        ) { $0.trustedKeys = $1 }
        .expectingText("at least one public key as bellerophon-server keygen prints it, with spaces between keys")
        .refusingEmpty("leave it out only if unsigned statuses are to count").withFlag("--trust-key"),
        .text(
            "trust.audience", "BELLEROPHON_TRUST_AUDIENCE", expected: "an app and a channel such as \"default/main\"",
            "the app and channel that a signed status must be for; null (default) derives them from the status URL",
            where: { $0.split(separator: "/").count == 2 }
        ) { $0.audience = $1 }.orNull("for what the status URL says") { $0.audience = nil },
        Setting(
            "content.servers", "BELLEROPHON_CONTENT_SERVERS",
            expected: "http or https URLs: an array, or text with spaces between them",
            "the servers of newer content (title, links, help); the next one is used where one fails or is behind",
            reading: {
                guard let texts = $0.words else { return nil }
                let servers = texts.compactMap { webURL($0) }
                return servers.count == texts.count ? servers : nil
            }
        ) { $0.contentServers = $1 }.expectingText("http or https URLs, with spaces between them").withFlag("--content-server"),
        .seconds(
            "content.interval", "BELLEROPHON_CONTENT_INTERVAL", 1...604_800,
            "seconds between two checks for newer content"
        ) { $0.contentInterval = $1 }.withDefault("900"),
    ]

    private static let presentation: [Setting<Configuration>] = [
        .text(
            "display.language", "BELLEROPHON_LANGUAGE",
            expected: "a language tag such as de or pt-BR, or several with commas",
            "the languages of views and messages, the most wanted one first; null (default) takes those of LANGUAGE or the locale",
            where: { LanguagePreference(list: $0) != nil }
        ) { $0.display.language = LanguagePreference(list: $1) }.orNull("for those of the environment") {
            $0.display.language = nil
        }
        .withFlag("--lang"),
        .choice(
            "display.color", "BELLEROPHON_COLOR", "how many colours to use; auto asks the terminal and honours NO_COLOR"
        ) { $0.display.color = $1 }.withDefault("auto").withFlag("--color"),
        .text(
            "display.theme", "BELLEROPHON_THEME",
            expected: "auto, dark, light, high-contrast, mono or a name from display.themes",
            "the colours; auto takes dark or light after the terminal's background"
        ) { $0.display.themeName = $1 }.withDefault("auto").withFlag("--theme"),
        DisplaySettings.themesSetting,
        .choice(
            "display.glyphs", "BELLEROPHON_GLYPHS",
            "the characters of lines and drawings; auto is ascii on the console of Linux and in a locale without UTF-8"
        ) { $0.display.glyphs = $1 }.withDefault("auto").withFlag("--glyphs"),
        .choice(
            "display.motion", "BELLEROPHON_MOTION",
            "whether the screen moves between two changes; reduced shows times of day in place of bars and countdowns"
        ) { $0.display.motion = $1 }.withDefault("full"),
        .choice(
            "display.titles", "BELLEROPHON_TITLES",
            "the titles of the kill view and the update view; auto draws large letters where there is room, plain is one line of text"
        ) { $0.display.titles = $1 }.withDefault("auto"),
        .flag(
            "display.offers", "BELLEROPHON_OFFERS",
            "whether notices offer newer versions; NO_UPDATE_NOTIFIER silences offers, too, and neither silences other notices"
        ) { $0.display.showsOffers = $1 }.withDefault("true"),
        .flag(
            "display.plain", "BELLEROPHON_PLAIN",
            "whether every change, link and action is a line in place of a screen, as for a screen reader"
        ) { $0.display.isPlain = $1 }.withDefault("false").withFlag("--plain"),
        .flag("display.mouse", "BELLEROPHON_MOUSE", "whether the program handles clicks and the wheel") {
            $0.display.usesMouse = $1
        }
        .withDefault("true").withFlag("--no-mouse"),
        .flag(
            "display.hyperlinks", "BELLEROPHON_HYPERLINKS",
            "whether links are clickable in terminals that support it"
        ) { $0.display.usesHyperlinks = $1 }.withDefault("true"),
        KeySettings.setting,
        .flag("alerts.bell", nil, "whether the terminal's bell rings when the service is paused or released") {
            $0.alerts.ringsBell = $1
        }
        .withDefault("true"),
        .flag("alerts.title", nil, "whether the terminal's title shows the state") { $0.alerts.setsTitle = $1 }
            .withDefault("true"),
        .flag(
            "alerts.notification", nil,
            "whether a notification of the desktop is requested when the service is paused or released (OSC 9, OSC 777)"
        ) { $0.alerts.notifies = $1 }.withDefault("true"),
        .text(
            "hooks.onTransition", nil, expected: "a shell command",
            "the command that runs after every change of the state, with the facts as JSON on standard input; a status can't set it"
        ) { $0.hook.command = $1 }.orNull("for none") { $0.hook.command = nil },
        .seconds("hooks.timeout", nil, 0.1...3600, "seconds after which the command of a hook is ended") {
            $0.hook.timeLimit = $1
        }
        .withDefault("10"),
    ]

    fileprivate static func webURL(_ text: String, allowsUserInfo: Bool = false) -> URL? {
        StatusDocument.webAddress(text, allowsUserInfo: allowsUserInfo).flatMap(URL.init(string:))
    }

    /// Requires names that are tokens, and values without control characters, to prevent header injection
    /// (RFC 9110, section 5).
    @Sendable private static func headerFields(_ value: JSONValue) -> [String: String]? {
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
        Setting(
            path, variable, expected: "an http or https URL", help,
            reading: { $0.string.flatMap { Configuration.webURL($0, allowsUserInfo: allowsUserInfo) } }, set)
    }
}
