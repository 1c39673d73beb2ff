import Digests
import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Who is told of an event.
package protocol WebhookTarget: Sendable {
    /// The setting that names it: `hooks.command` or `hooks.url`.
    var name: String { get }

    /// Tells it once.
    /// - Returns: nil if it was told.
    func deliver(_ event: WebhookEvent) async -> WebhookProblem?
}

/// Why an event could not be told.
package struct WebhookProblem: Equatable, Sendable, CustomStringConvertible {
    /// A part of a sentence.
    package let description: String
    /// When the receiver wants the next attempt (`Retry-After`); nil if it does not say.
    let retryAfter: Duration?

    init(_ description: String, retryAfter: Duration? = nil) {
        (self.description, self.retryAfter) = (description, retryAfter)
    }
}

/// Runs a command, which reads the event on standard input.
struct CommandHook: WebhookTarget {
    let command: String
    let limit: Duration
    let name = "hooks.command"

    func deliver(_ event: WebhookEvent) async -> WebhookProblem? { await problem(of: event).map { WebhookProblem($0) } }

    private func problem(of event: WebhookEvent) async -> String? {
        guard let json = try? event.json else { return "the event can't be written as JSON" }
        switch await ShellCommand.run(command, input: json, limit: limit) {
        case .exited(0): return nil
        case .exited(127): return "the command was not found (exit code 127)"
        case .exited(let code): return "the command failed with exit code \(code)"
        case .signalled(let number): return "the command was ended by signal \(number)"
        case .late: return "the command took longer than \(limit.components.seconds) s"
        case .failed(let reason): return "the command can't be started (\(reason))"
        }
    }
}

/// Sends the event with POST to an address.
struct WebHook: WebhookTarget {
    let url: URL
    /// Signs the body; nil for none.
    let secret: Data?
    let limit: Duration
    let client: HTTPClient
    let name = "hooks.url"

    /// The header field with the time in seconds since 1970 and the HMAC-SHA256 of that time, a full stop and the body:
    /// `t=1764050400,v1=5257a8…`. A receiver refuses an old time, so that a copy of a request has no effect later.
    static let signatureField = "Bellerophon-Signature"

    func deliver(_ event: WebhookEvent) async -> WebhookProblem? {
        guard let json = try? event.json else { return WebhookProblem("the event can't be written as JSON") }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = json
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(event.event.rawValue, forHTTPHeaderField: "Bellerophon-Event")
        request.setValue(event.id, forHTTPHeaderField: "Bellerophon-Delivery")
        if let secret {
            request.setValue(Self.signature(of: json, at: Date(), secret), forHTTPHeaderField: Self.signatureField)
        }
        switch await HTTPAnswer.to(request, file: nil, deadline: limit, from: client) {
        case .answered(let answer) where (200..<300).contains(answer.status): return nil
        case .answered(let answer):
            return WebhookProblem(
                "the address replied with HTTP \(answer.status)", retryAfter: answer.retryAfter.map { .seconds(min($0, 3600)) })
        case .notSent(let reason), .unknown(let reason): return WebhookProblem(reason)
        }
    }

    static func signature(of body: Data, at date: Date, _ secret: Data) -> String {
        let time = "\(Int64(date.timeIntervalSince1970))"
        return "t=\(time),v1=\(KeyedDigest.sha256(Data("\(time).".utf8) + body, key: secret) ?? "")"
    }
}
