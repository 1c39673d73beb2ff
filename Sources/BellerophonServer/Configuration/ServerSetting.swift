#if Server
import StatusModel
import BellerophonBase
import Foundation
import Logging

/// One setting: its place in the file, what it takes, and how it enters the configuration.
///
/// The list of them is the only place that knows the settings: the file's reader, the environment's, the flags and
/// the test of `server.config.example.json` all go through it.
public struct ServerSetting: Sendable {
    /// The path in the file: `limits.idleTime`.
    public let path: String
    /// What it takes, as an error says it.
    public let expected: String
    /// What it does, in one sentence.
    public let help: String
    /// Puts a value into the configuration; false where the value is not as expected.
    let apply: @Sendable (JSONValue, inout ServerConfiguration) -> Bool

    /// The environment's name of it: `BELLEROPHON_SERVER_LIMITS_IDLE_TIME`; `server.` is not said twice.
    public var variable: String {
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

    /// Every setting, in the file's order.
    public static let all: [ServerSetting] = place + caching + streaming + signing + bounds + logging

    private static let place: [ServerSetting] = [
        text("store", "the folder of the store; its usual place unless set") { $0.store = $1 },
        text("server.host", "the address to listen on; 0.0.0.0 for all of this machine's") { $0.host = $1 },
        number("server.port", 0...65535, "the port; 0 takes any free one") { $0.port = Int($1) },
        number("server.threads", 1...1024, "event loops, at most one on each core") { $0.threads = Int($1) },
        ServerSetting(
            path: "server.publicURL", expected: "an http or https address without a slash at its end",
            help: "what stands before the path of a resource's data; the address that a request names unless set, so set it behind a proxy"
        ) { value, configuration in
            guard case .string(let text) = value, !text.hasSuffix("/"), StatusDocument.webAddress(text) != nil else { return false }
            configuration.reading.publicURL = text
            return true
        },
        text("tls.certificate", "a PEM file with the certificate chain; turns TLS on") { configuration, path in
            configuration.tls = TLSFiles(certificate: path, key: configuration.tls?.key ?? "")
        },
        text("tls.key", "the PEM file of its private key") { configuration, path in
            configuration.tls = TLSFiles(certificate: configuration.tls?.certificate ?? "", key: path)
        },
        urlPath("paths.meta", "where the resources' meta documents are") { $0.reading.metaPath = $1 },
        urlPath("paths.data", "where the resources' bytes are") { $0.reading.dataPath = $1 },
    ]

    private static let caching: [ServerSetting] = [
        number("cache.maxAge", 0...86_400, "seconds that a client may use its copy") { $0.reading.cache.maxAge = Int($1) },
        number("cache.sharedMaxAge", 0...86_400, "seconds that a cache in between may") { $0.reading.cache.sharedMaxAge = Int($1) },
        number("cache.staleWhileRevalidate", 0...86_400, "seconds that it may answer from an old copy while it asks for a new one") {
            $0.reading.cache.staleWhileRevalidate = Int($1)
        },
        number("cache.staleIfError", 0...31_536_000, "seconds that it may go on while this server is gone") {
            $0.reading.cache.staleIfError = Int($1)
        },
    ]

    private static let streaming: [ServerSetting] = [
        seconds("stream.heartbeat", 0.05...3600, "the time between signs of life on a stream") { $0.heartbeat = $1 },
    ]

    private static let signing: [ServerSetting] = [
        text("signing.key", "the file that 'bellerophon-server keygen' made; turns signing on") { $0.signingKey = $1 },
        number("signing.lifetime", DocumentSigner.lifetimes, "seconds that a signed document holds; it is signed anew at half of them") {
            $0.signingLifetime = .seconds($1)
        },
    ]

    private static let bounds: [ServerSetting] = [
        number("limits.connections", 1...1_000_000, "connections at once; more are told 503") { $0.limits.connections = Int($1) },
        number("limits.streams", 0...1_000_000, "streams at once; more are told 503") { $0.limits.streams = Int($1) },
        number("limits.concurrentRequests", 1...10_000, "requests of a kind worked on at once, look-ups aside; more are told 503") {
            $0.limits.concurrentRequests = Int($1)
        },
        number("limits.downloadsPerAddress", 0...10_000, "downloads of one address, not of this machine, at once; 0 for no bound") {
            $0.limits.downloadsPerAddress = Int($1)
        },
        number("limits.headerSize", 1024...1_048_576, "bytes of a request's header") { $0.limits.headerSize = Int($1) },
        number("limits.resourceSize", 1...(1 << 50), "bytes of a resource") { $0.limits.resourceSize = $1 },
        seconds("limits.headerTime", 0.05...3600, "from a request's first byte to the end of its header") { $0.limits.headerTime = $1 },
        seconds("limits.bodyTime", 0.05...3600, "from there to the end of its body") { $0.limits.bodyTime = $1 },
        seconds("limits.uploadTime", 0.05...86_400, "the same for a resource's bytes") { $0.limits.uploadTime = $1 },
        seconds("limits.idleTime", 0.05...86_400, "how long a connection may stay without a request") { $0.limits.idleTime = $1 },
        seconds("limits.stallTime", 0.05...86_400, "how long a client may take no bytes that wait for it") { $0.limits.stallTime = $1 },
        seconds("limits.shutdownTime", 0...3600, "how long accepted requests may take at a shutdown") { $0.limits.shutdownTime = $1 },
    ]

    private static let logging: [ServerSetting] = [
        choice("log.format", ServerConfiguration.LogFormat.allCases.map(\.rawValue), "how a line of the log looks") {
            $0.logFormat = ServerConfiguration.LogFormat(rawValue: $1) ?? .text
        },
        choice("log.level", Logger.Level.allCases.map(\.rawValue), "the least important thing that is logged") {
            $0.logLevel = Logger.Level(rawValue: $1) ?? .info
        },
        ServerSetting(path: "log.access", expected: "true or false", help: "whether each request is logged") { value, configuration in
            guard case .bool(let flag) = value else { return false }
            configuration.logsAccess = flag
            return true
        },
    ]
}

extension ServerSetting {
    private static func text(
        _ path: String, _ help: String, _ set: @escaping @Sendable (inout ServerConfiguration, String) -> Void
    ) -> ServerSetting {
        ServerSetting(path: path, expected: "text that is not empty, on one line", help: help) { value, configuration in
            guard case .string(let text) = value, !text.trimmedOfSpace().isEmpty,
                text.unicodeScalars.allSatisfy({ !UnseenText.isUnseen($0) })
            else { return false }
            set(&configuration, text)
            return true
        }
    }

    private static func number(
        _ path: String, _ range: ClosedRange<Int64>, _ help: String,
        _ set: @escaping @Sendable (inout ServerConfiguration, Int64) -> Void
    ) -> ServerSetting {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return ServerSetting(path: path, expected: expected, help: help) { value, configuration in
            guard case .number(let number) = value, let whole = Int64(exactly: number), range.contains(whole) else { return false }
            set(&configuration, whole)
            return true
        }
    }

    private static func seconds(
        _ path: String, _ range: ClosedRange<Double>, _ help: String,
        _ set: @escaping @Sendable (inout ServerConfiguration, Duration) -> Void
    ) -> ServerSetting {
        let expected = "a number of seconds from \(range.lowerBound) to \(Int(range.upperBound))"
        return ServerSetting(path: path, expected: expected, help: help) { value, configuration in
            guard case .number(let number) = value, range.contains(number) else { return false }
            set(&configuration, .milliseconds(Int64((number * 1000).rounded())))
            return true
        }
    }

    private static func choice(
        _ path: String, _ names: [String], _ help: String,
        _ set: @escaping @Sendable (inout ServerConfiguration, String) -> Void
    ) -> ServerSetting {
        let expected = "one of " + names.map { "\"\($0)\"" }.joined(separator: ", ")
        return ServerSetting(path: path, expected: expected, help: help) { value, configuration in
            guard case .string(let text) = value, names.contains(text) else { return false }
            set(&configuration, text)
            return true
        }
    }

    /// A path that no parameter of a route can be mistaken for.
    private static func urlPath(
        _ path: String, _ help: String, _ set: @escaping @Sendable (inout ServerConfiguration, String) -> Void
    ) -> ServerSetting {
        let allowed = Set("/-_.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        let expected = "a path such as \"/GBCloudBoxResourcesData\", without a slash at its end"
        return ServerSetting(path: path, expected: expected, help: help) { value, configuration in
            guard case .string(let text) = value, text.hasPrefix("/"), text.count > 1, !text.hasSuffix("/"),
                !text.contains("//"), text.allSatisfy(allowed.contains), !text.hasPrefix("/v1")
            else { return false }
            set(&configuration, text)
            return true
        }
    }
}
#endif
