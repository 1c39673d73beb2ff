import BellerophonBase
import BellerophonStore
import StatusModel

extension ServerConfiguration {
    /// All settings, in the file's order.
    package static let settings: [Setting<ServerConfiguration>] =
        (place + reading + publishing + hooks + bounds + logging).map {
            $0.withVariable(variable($0.path))
        }

    /// The environment variable of a setting: for `limits.idleTime` it is `BELLEROPHON_SERVER_LIMITS_IDLE_TIME`, and for
    /// `server.publicURL` `BELLEROPHON_SERVER_PUBLIC_URL`.
    private static func variable(_ path: String) -> String {
        let words = path.replacing(/[A-Z]+/) { "_\($0.output)" }.replacing(".", with: "_").uppercased()
        return (words.hasPrefix("SERVER_") ? "BELLEROPHON_" : "BELLEROPHON_SERVER_") + words
    }

    private static let place: [Setting<ServerConfiguration>] = [
        .text(
            "store", \.store,
            "the folder of the store; its usual place if not set; or postgresql://HOST/DATABASE, a store that several servers share"
        ).withSecret,
        .text(
            "copy", \.copy, "the folder of this machine's copy of a store in PostgreSQL; the usual place of a store if not set"),
        .text(
            "content", \.content,
            "the folder in which servers with a store in PostgreSQL share the bytes of resources; the database has them if not set"
        ),
        .text("server.host", nil, "the address to listen on; 0.0.0.0 for all of this machine's") { $0.host = $1 },
        .count("server.port", 0...65535, \.port, "the port; 0 takes any free one"),
        .text(
            "server.publicURL", nil, expected: "an http or https address without a slash at its end",
            "the public address, which manifests put before the path of a resource's bytes; set it behind a proxy (default: the address that a request names)",
            where: { !$0.hasSuffix("/") && StatusDocument.webAddress($0) != nil }
        ) { $0.reading.publicURL = $1 },
        .text("tls.certificate", nil, "the PEM file of the certificate chain; turns TLS on") { configuration, path in
            configuration.tls = TLSFiles(certificate: path, key: configuration.tls?.key ?? "")
        },
        .text("tls.key", nil, "the PEM file of the certificate's private key") { configuration, path in
            configuration.tls = TLSFiles(certificate: configuration.tls?.certificate ?? "", key: path)
        },
        .flag("console.enabled", nil, "whether the page /console is served, for the person on call") { $0.hasConsole = $1 },
    ]

    private static let reading: [Setting<ServerConfiguration>] = [
        .count("cache.maxAge", 0...86_400, \.reading.cache.maxAge, "seconds that a client may use its copy of a status"),
        .count(
            "cache.sharedMaxAge", 0...86_400, \.reading.cache.sharedMaxAge,
            "seconds that a cache between client and server may use its copy"),
        .count(
            "cache.staleWhileRevalidate", 0...86_400, \.reading.cache.staleWhileRevalidate,
            "seconds that such a cache may reply from an old copy while it fetches a new one"),
        .count(
            "cache.staleIfError", 0...31_536_000, \.reading.cache.staleIfError,
            "seconds that such a cache may reply from an old copy while this server is unreachable"),
        .seconds("stream.heartbeat", 0.05...3600, \.heartbeat, "seconds between two heartbeats on a stream"),
    ]

    private static let publishing: [Setting<ServerConfiguration>] = [
        .text("signing.key", \.signingKey, "the file that `bellerophon-server keygen` has made; turns signing on")
            .refusingEmpty("leave it out only if nothing is to be signed"),
        .number(
            "signing.lifetime", nil, DocumentSigner.lifetimes,
            "seconds that a signed document is valid; it is signed again after half of them"
        ) { $0.signingLifetime = .seconds($1) },
        .text(
            "approval.apps", nil, expected: "names of apps separated by commas, or *",
            "apps, separated by commas, whose statuses take two persons; * for all; they are added to the store's rule",
            where: { ApprovalRule.apps(in: $0) != nil }
        ) { $0.approval.apps = ApprovalRule.apps(in: $1) ?? [] },
        .count("approval.lifetime", ApprovalRule.lifetimes, \.approval.lifetime, "seconds for which a proposal can be approved"),
    ]

    private static let hooks: [Setting<ServerConfiguration>] = [
        .text(
            "hooks.command", \.hooks.command,
            "a command of the shell that reads each change and problem as JSON on standard input"),
        .text(
            "hooks.url", nil, expected: "an http or https address", "the address that gets each of them with POST",
            where: { StatusDocument.webAddress($0) != nil }
        ) { $0.hooks.url = $1 }.withSecret,
        .text(
            "hooks.secret", \.hooks.secret,
            "the file with the secret for the signature (HMAC-SHA256) of what is sent to hooks.url"),
        .number("hooks.timeLimit", nil, 1...600, "seconds that one delivery to a hook may take") {
            $0.hooks.timeLimit = .seconds($1)
        },
        .count(
            "hooks.attempts", 1...50, \.hooks.attempts,
            "attempts to deliver an event to a hook; the waits between them double up to a minute"),
        .number(
            "hooks.remindBefore", nil, 0...86_400,
            "seconds before the end of a timed status at which hooks are reminded; 0 for never"
        ) { $0.hooks.remindBefore = $1 == 0 ? nil : .seconds($1) },
        .number(
            "hooks.remindAfter", nil, 0...31_536_000,
            "seconds after which, again and again, hooks are reminded of a status that stops an app; 0 for never"
        ) { $0.hooks.remindAfter = $1 == 0 ? nil : .seconds($1) },
    ]

    private static let bounds: [Setting<ServerConfiguration>] = [
        .count(
            "limits.connections", 1...1_000_000, \.limits.connections,
            "connections at the same time; further ones get 503 unless they show a token within two seconds"),
        .count(
            "limits.connectionsPerAddress", 0...1_000_000, \.limits.connectionsPerAddress,
            "connections of one address at the same time, at most half of limits.connections, except addresses of this machine; further ones are treated like those beyond limits.connections; 0 for no limit, for example behind a load balancer"
        ),
        .count("limits.streams", 0...1_000_000, \.limits.streams, "streams at the same time; further ones get 503"),
        .count(
            "limits.concurrentRequests", 1...10_000, \.limits.concurrentRequests,
            "requests of one kind that are carried out at the same time, except reads of a status; further ones get 503"),
        .count(
            "limits.downloadsPerAddress", 0...10_000, \.limits.downloadsPerAddress,
            "downloads of one address at the same time, except addresses of this machine; 0 for no limit"),
        .count("limits.headerSize", 1024...1_048_576, \.limits.headerSize, "the largest header of a request, in bytes"),
        .count("limits.resourceSize", 1...(1 << 50), \.limits.resourceSize, "the largest resource, in bytes"),
        .seconds(
            "limits.headerTime", 0.05...3600, \.limits.headerTime, "seconds from a request's first byte to the end of its header"),
        .seconds(
            "limits.bodyTime", 0.05...3600, \.limits.bodyTime,
            "seconds from the end of a request's header to the end of its body, except uploads of resources"),
        .seconds(
            "limits.uploadTime", 0.05...86_400, \.limits.uploadTime,
            "seconds from the end of the header to the end of the body of an upload"),
        .seconds(
            "limits.idleTime", 0.05...86_400, \.limits.idleTime, "seconds that a connection may stay open without a request"),
        .seconds(
            "limits.stallTime", 0.05...86_400, \.limits.stallTime, "seconds that a client may accept no bytes that wait for it"),
        .seconds("limits.shutdownTime", 0...3600, \.limits.shutdownTime, "seconds that accepted requests may take at a shutdown"),
    ]

    private static let logging: [Setting<ServerConfiguration>] = [
        .choice("log.format", nil, "the format of the log") { $0.logFormat = $1 },
        .choice("log.level", nil, "the lowest level that is logged") { $0.logLevel = $1 },
        .flag("log.access", nil, "whether each request is logged") { $0.logsAccess = $1 },
    ]
}

extension Setting<ServerConfiguration> {
    fileprivate typealias Property<Value> = any WritableKeyPath<ServerConfiguration, Value> & Sendable

    fileprivate static func text(_ path: String, _ property: Property<String?>, _ help: String) -> Setting {
        .text(path, nil, help) { $0[keyPath: property] = $1 }
    }

    fileprivate static func count<Count: BinaryInteger & Sendable>(
        _ path: String, _ range: ClosedRange<Int64>, _ property: Property<Count>, _ help: String
    ) -> Setting {
        .number(path, nil, range, help) { $0[keyPath: property] = Count($1) }
    }

    fileprivate static func seconds(
        _ path: String, _ range: ClosedRange<Double>, _ property: Property<Duration>, _ help: String
    ) -> Setting {
        .seconds(path, nil, range, help) { $0[keyPath: property] = $1 }
    }
}
