#if Server
import BellerophonBase
import Foundation
import Logging
import StatusModel

extension ServerConfiguration {
    /// Every setting, in the file's order.
    package static let settings: [Setting<ServerConfiguration>] = (place + caching + streaming + signing + bounds + logging).map {
        $0.withVariable(variable($0.path))
    }

    /// The environment's name of a setting: of `limits.idleTime` it is `BELLEROPHON_SERVER_LIMITS_IDLE_TIME`; `server.` is
    /// not said twice.
    private static func variable(_ path: String) -> String {
        var name = "BELLEROPHON_SERVER"
        for part in path.split(separator: ".") where part != "server" {
            name += "_"
            for scalar in part.unicodeScalars {
                if scalar.properties.isUppercase, !name.hasSuffix("_") { name += "_" }
                name += String(scalar).uppercased()
            }
        }
        return name.replacingOccurrences(of: "PUBLIC_U_R_L", with: "PUBLIC_URL")
    }

    private static let place: [Setting<ServerConfiguration>] = [
        .text("store", nil, "the folder of the store; its usual place unless set") { $0.store = $1 },
        .text("server.host", nil, "the address to listen on; 0.0.0.0 for all of this machine's") { $0.host = $1 },
        .number("server.port", nil, 0...65535, "the port; 0 takes any free one") { $0.port = Int($1) },
        .number("server.threads", nil, 1...1024, "event loops, at most one on each core") { $0.threads = Int($1) },
        .text(
            "server.publicURL", nil, expected: "an http or https address without a slash at its end",
            "what stands before the path of a resource's data; the address that a request names unless set, so set it behind a proxy",
            where: { !$0.hasSuffix("/") && StatusDocument.webAddress($0) != nil }
        ) { $0.reading.publicURL = $1 },
        .text("tls.certificate", nil, "a PEM file with the certificate chain; turns TLS on") { configuration, path in
            configuration.tls = TLSFiles(certificate: path, key: configuration.tls?.key ?? "")
        },
        .text("tls.key", nil, "the PEM file of its private key") { configuration, path in
            configuration.tls = TLSFiles(certificate: configuration.tls?.certificate ?? "", key: path)
        },
        .urlPath("paths.meta", nil, "where the resources' meta documents are") { $0.reading.metaPath = $1 },
        .urlPath("paths.data", nil, "where the resources' bytes are") { $0.reading.dataPath = $1 },
    ]

    private static let caching: [Setting<ServerConfiguration>] = [
        .number("cache.maxAge", nil, 0...86_400, "seconds that a client may use its copy") { $0.reading.cache.maxAge = Int($1) },
        .number("cache.sharedMaxAge", nil, 0...86_400, "seconds that a cache in between may") {
            $0.reading.cache.sharedMaxAge = Int($1)
        },
        .number(
            "cache.staleWhileRevalidate", nil, 0...86_400,
            "seconds that it may answer from an old copy while it asks for a new one"
        ) {
            $0.reading.cache.staleWhileRevalidate = Int($1)
        },
        .number("cache.staleIfError", nil, 0...31_536_000, "seconds that it may go on while this server is gone") {
            $0.reading.cache.staleIfError = Int($1)
        },
    ]

    private static let streaming: [Setting<ServerConfiguration>] = [
        .seconds("stream.heartbeat", nil, 0.05...3600, "the time between signs of life on a stream") { $0.heartbeat = $1 }
    ]

    private static let signing: [Setting<ServerConfiguration>] = [
        .text("signing.key", nil, "the file that 'bellerophon-server keygen' made; turns signing on") { $0.signingKey = $1 },
        .number(
            "signing.lifetime", nil, DocumentSigner.lifetimes,
            "seconds that a signed document holds; it is signed anew at half of them"
        ) {
            $0.signingLifetime = .seconds($1)
        },
    ]

    private static let bounds: [Setting<ServerConfiguration>] = [
        .number("limits.connections", nil, 1...1_000_000, "connections at once; more are told 503") {
            $0.limits.connections = Int($1)
        },
        .number("limits.streams", nil, 0...1_000_000, "streams at once; more are told 503") { $0.limits.streams = Int($1) },
        .number(
            "limits.concurrentRequests", nil, 1...10_000,
            "requests of a kind worked on at once, look-ups aside; more are told 503"
        ) {
            $0.limits.concurrentRequests = Int($1)
        },
        .number(
            "limits.downloadsPerAddress", nil, 0...10_000,
            "downloads of one address, not of this machine, at once; 0 for no bound"
        ) {
            $0.limits.downloadsPerAddress = Int($1)
        },
        .number("limits.headerSize", nil, 1024...1_048_576, "bytes of a request's header") { $0.limits.headerSize = Int($1) },
        .number("limits.resourceSize", nil, 1...(1 << 50), "bytes of a resource") { $0.limits.resourceSize = $1 },
        .seconds("limits.headerTime", nil, 0.05...3600, "from a request's first byte to the end of its header") {
            $0.limits.headerTime = $1
        },
        .seconds("limits.bodyTime", nil, 0.05...3600, "from there to the end of its body") { $0.limits.bodyTime = $1 },
        .seconds("limits.uploadTime", nil, 0.05...86_400, "the same for a resource's bytes") { $0.limits.uploadTime = $1 },
        .seconds("limits.idleTime", nil, 0.05...86_400, "how long a connection may stay without a request") {
            $0.limits.idleTime = $1
        },
        .seconds("limits.stallTime", nil, 0.05...86_400, "how long a client may take no bytes that wait for it") {
            $0.limits.stallTime = $1
        },
        .seconds("limits.shutdownTime", nil, 0...3600, "how long accepted requests may take at a shutdown") {
            $0.limits.shutdownTime = $1
        },
    ]

    private static let logging: [Setting<ServerConfiguration>] = [
        .choice("log.format", nil, "how a line of the log looks") { $0.logFormat = $1 },
        .choice("log.level", nil, "the least important thing that is logged") { $0.logLevel = $1 },
        .flag("log.access", nil, "whether each request is logged") { $0.logsAccess = $1 },
    ]
}

extension Setting<ServerConfiguration> {
    /// A path that no parameter of a route can be mistaken for.
    fileprivate static func urlPath(
        _ path: String, _ variable: String?, _ help: String, _ set: @escaping Setter<String>
    ) -> Setting {
        let allowed = Set("/-_.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return .text(
            path, variable, expected: "a path such as \"/GBCloudBoxResourcesData\", without a slash at its end", help,
            where: { text in
                text.hasPrefix("/") && text.count > 1 && !text.hasSuffix("/") && !text.contains("//")
                    && text.allSatisfy(allowed.contains) && !text.hasPrefix("/v1")
            }, set
        )
    }
}
#endif
