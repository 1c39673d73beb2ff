import Bellerophon
import BellerophonBase
import BellerophonTrust
import Foundation

/// The status source, the stream and the trusted keys that the configuration defines.
extension Configuration {
    /// The verifier of signed statuses; nil if unsigned statuses are accepted. The keys were checked when they were read.
    package var trust: TrustedKeys? {
        trustedKeys.isEmpty ? nil : try? TrustedKeys(trustedKeys, audience: audience ?? Self.audience(of: statusURL))
    }

    /// The app and channel that a status URL of `bellerophon-server` names.
    ///
    /// `/v1/apps/APP/channels/CHANNEL/status.jws` gives `APP/CHANNEL`, any other path below `/v1/apps/APP/` gives
    /// `APP/main`, and every other URL gives `default/main`.
    package static func audience(of url: URL?) -> String {
        let parts = url?.path.split(separator: "/").map(String.init) ?? []
        guard let start = parts.lastIndex(of: "apps"), start > 0, parts[start - 1] == "v1", start + 2 < parts.count else {
            return "default/main"
        }
        let app = parts[start + 1]
        let rest = parts[(start + 2)...]
        guard rest.count == 3, rest.first == "channels" else { return "\(app)/main" }
        return "\(app)/\(rest[start + 3])"
    }

    /// The status source for a URL.
    /// - Parameter onExchange: called with every exchange, for a recorder.
    package func source(
        at url: URL, onExchange: (@Sendable (StatusExchange) -> Void)? = nil
    ) -> URLSessionStatusSource {
        URLSessionStatusSource(
            url: url, headers: headers, limits: .init(deadline: timeout), verifier: trust, requiresTLS: requiresTLS,
            onExchange: onExchange
        )
    }

    /// The configured stream; nil without `status.eventsURL`.
    package var stream: URLSessionStatusStream? {
        eventsURL.map { URLSessionStatusStream(url: $0, headers: headers, requiresTLS: requiresTLS) }
    }

    /// Refuses keys that can't form a verifier: without a verifier, unsigned statuses would be accepted.
    func checkTrust(origin: String) throws(ConfigurationError) {
        guard !trustedKeys.isEmpty else { return }
        do {
            _ = try TrustedKeys(trustedKeys, audience: audience ?? Self.audience(of: statusURL))
        } catch {
            throw ConfigurationError(origin: origin, "\(place("trust.keys", "trust.audience"))trust: \(error)")
        }
    }

    /// Refuses URLs that can't be used, such as plain `http` although TLS is required, before anything starts.
    func checkTransport(origin: String) throws(ConfigurationError) {
        let addresses =
            [("status.url", statusURL), ("status.eventsURL", eventsURL)]
            + (use.contains("content.servers") ? contentServers.map { ("content.servers", $0) } : [])
        for case (let path, let url?) in addresses {
            if let problem = StatusAddress.problem(of: url) {
                throw ConfigurationError(origin: origin, "\(place(path))\(path): \(problem)")
            }
            guard let why = TransportSecurity.refusal(of: url, requiresTLS: requiresTLS) else { continue }
            throw ConfigurationError(origin: origin, "\(place(path))\(path): \(why), or set status.requireTLS to false")
        }
    }
}
