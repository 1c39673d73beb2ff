import Barricade
import CloudBox
import Foundation
import ReadyContent
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A content server inside this process, which demonstrates content updates.
///
/// Clients accept only higher versions, so changed bytes are always offered under a new highest version.
final class SimulatedContent: Sendable {
    /// The content that the server offers.
    enum Edition: String, CaseIterable {
        case shipped = "content as shipped"
        case new = "new content"
        case damaged = "damaged content"
        case down = "content server down"

        var summary: String {
            switch self {
            case .shipped: "what came with the program"
            case .new: "title, links, help, one more response"
            case .damaged: "bytes that don't match their digest"
            case .down: "503; what is there is kept"
            }
        }
    }

    /// The name of its kind of request.
    static let requestName = "content"
    /// The server's address; `.invalid` never resolves (RFC 6761).
    static let server = URL(string: "http://demo.invalid") ?? URL(fileURLWithPath: "/")

    private struct Offer {
        var data: Data
        var version = ShippedContent.version
    }

    private let offers: Mutex<[String: Offer]>

    init() {
        offers = Mutex(ShippedContent.files.reduce(into: [:]) { $0[$1.name] = Offer(data: $1.data) })
    }

    /// The responses to all content requests, one per edition, as a set that a tester switches.
    var responseSet: ResponseSet {
        let responses = Edition.allCases.map { edition in
            Response(edition.rawValue, summary: edition.summary, group: "Content", delay: .milliseconds(40)) {
                [self] _, components in
                answer(to: components?.path ?? "", edition)
            }
        }
        return ResponseSet(Self.requestName, responses: responses) { request in
            request.url?.path.hasPrefix("/GBCloudBoxResources") ?? false
        }
    }

    private func answer(to path: String, _ edition: Edition) -> Response.Outcome {
        guard edition != .down else {
            return .reply(.init(statusCode: 503, headers: ["Retry-After": "5"], text: "down for maintenance\n"))
        }
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count >= 2, let offer = offer(of: parts[1], edition) else {
            return .reply(.init(statusCode: 404, text: "no such resource\n"))
        }
        return parts[0] == "GBCloudBoxResourcesMeta" ? meta(of: parts[1], offer) : file(offer, edition)
    }

    /// The current offer for a name; bytes that differ from the last offer get a new version.
    private func offer(of name: String, _ edition: Edition) -> Offer? {
        offers.withLock { offers in
            guard var offer = offers[name] else { return nil }
            let data = Self.data(of: name, edition)
            if edition != .damaged, let data, data != offer.data {
                offer = Offer(data: data, version: offer.version + 1)
                offers[name] = offer
            }
            // Only the help text is damaged, to show that one bad resource does not block the others.
            if edition == .damaged, name == ShippedContent.helpName {
                offer = Offer(data: offer.data + Data("What follows is lost.".utf8), version: offer.version + 1)
            }
            return offer
        }
    }

    private static func data(of name: String, _ edition: Edition) -> Data? {
        edition == .new ? newFiles[name] ?? shippedFiles[name] : shippedFiles[name]
    }

    private static let shippedFiles = ShippedContent.files.reduce(into: [String: Data]()) { $0[$1.name] = $1.data }

    /// The files that differ from the shipped ones.
    private static let newFiles: [String: Data] = [
        ShippedContent.dashboardName: Data(ReadyContent.Simulated.dashboard),
        ShippedContent.helpName: Data(ReadyContent.Simulated.help),
    ].merging(newScenarios) { $1 }

    /// The ready responses and one more.
    private static let newScenarios: [String: Data] = {
        let name = "status.json"
        guard let shipped = shippedFiles[name], var file = try? ScenarioFile(json: shipped, file: name),
            let more = try? ScenarioFile(json: Data(ReadyContent.Simulated.scenarios), file: name)
        else { return [:] }
        file.merge(more)
        return [name: Data(file.json.utf8)]
    }()

    private func meta(of name: String, _ offer: Offer) -> Response.Outcome {
        let digest = Digest(.sha256, of: offer.data)?.hex ?? ""
        let place = "\(Self.server)/GBCloudBoxResourcesData/\(name)/\(offer.version)"
        let text = #"{"v":\#(offer.version),"sha256":"\#(digest)","size":\#(offer.data.count),"url":"\#(place)"}"#
        return .reply(.init(headers: ["Content-Type": "application/json"], text: text))
    }

    private func file(_ offer: Offer, _ edition: Edition) -> Response.Outcome {
        var reply = Response.Reply(headers: ["Resource-Version": "\(offer.version)"], body: offer.data)
        reply.headers["Content-Type"] = "application/octet-stream"
        if edition == .damaged { reply.body = Data(offer.data.reversed()) }
        // Slow enough to be visible.
        reply.bytesPerSecond = max(offer.data.count, 500)
        return .reply(reply)
    }
}
