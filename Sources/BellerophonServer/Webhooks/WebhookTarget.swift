import BellerophonStore
import Digests
import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Who is told of an event.
package struct WebhookTarget: Sendable {
    /// The setting that names it: `hooks.command` or `hooks.url`.
    package let name: String
    /// Tells it of an event once, which is one line of JSON.
    let send: @Sendable (_ event: WebhookEvent, _ json: Data) async -> WebhookProblem?

    /// The header field with the time in seconds since 1970 and the HMAC-SHA256 of that time, a full stop and the body:
    /// `t=1764050400,v1=5257a8…`. A receiver refuses an old time, so that a copy of a request has no effect later.
    private static let signatureField = "Bellerophon-Signature"

    /// Tells it once.
    /// - Returns: nil if it was told.
    package func deliver(_ event: WebhookEvent) async -> WebhookProblem? {
        do {
            return await send(event, try StoreJSON.data(event) + Data("\n".utf8))
        } catch {
            return WebhookProblem(description: "the event \(error)")
        }
    }

    /// A command, which reads the event on standard input.
    static func command(_ command: String, limit: Duration) -> WebhookTarget {
        WebhookTarget(name: "hooks.command") { _, json in
            await ShellCommand.problem(of: command, input: json, limit: limit).map { WebhookProblem(description: $0) }
        }
    }

    /// An address, which gets the event with POST.
    /// - Parameter secret: signs the body; nil for none.
    static func address(_ url: URL, secret: Data?, limit: Duration) -> WebhookTarget {
        let client = HTTPClient()
        return WebhookTarget(name: "hooks.url") { event, json in
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBody = json
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.setValue(event.event.rawValue, forHTTPHeaderField: "Bellerophon-Event")
            request.setValue(event.id, forHTTPHeaderField: "Bellerophon-Delivery")
            if let secret { request.setValue(signature(of: json, at: Date(), secret), forHTTPHeaderField: signatureField) }
            switch await HTTPAnswer.to(request, file: nil, deadline: limit, from: client) {
            case .answered(let answer) where (200..<300).contains(answer.status): return nil
            case .answered(let answer):
                return WebhookProblem(
                    description: "the address replied with HTTP \(answer.status)",
                    retryAfter: answer.retryAfter.map { .seconds(min($0, 3600)) })
            case .notSent(let reason), .unknown(let reason): return WebhookProblem(description: reason)
            }
        }
    }

    static func signature(of body: Data, at date: Date, _ secret: Data) -> String {
        let time = "\(Int64(date.timeIntervalSince1970))"
        return "t=\(time),v1=\(KeyedDigest.sha256(Data("\(time).".utf8) + body, key: secret) ?? "")"
    }
}

/// Why an event could not be told.
package struct WebhookProblem: Equatable, Sendable, CustomStringConvertible {
    /// A part of a sentence.
    package let description: String
    /// When the receiver wants the next attempt (`Retry-After`); nil if it does not say.
    var retryAfter: Duration?
}
