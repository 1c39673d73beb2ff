import BellerophonStore
import Foundation
import NIOCore
import StatusModel
import TestSupport
import Testing

@testable import BellerophonServer

@Suite struct MetricsTests {
    /// Parses the metric families and samples of a text in Prometheus format 0.0.4, and checks every rule of the
    /// format.
    @discardableResult
    private func families(_ text: String) throws -> [String: [String: Double]] {
        #expect(text.hasSuffix("\n"))
        var families: [String: [String: Double]] = [:]
        var present = ""
        for line in text.split(separator: "\n") {
            if let help = line.wholeMatch(of: /# HELP ([a-z_]+) (.+)/) {
                present = String(help.1)
                let former = families.updateValue([:], forKey: present)
                #expect(former == nil, "\(present) stands twice")
            } else if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge)/) {
                #expect(type.1 == present && (type.2 == "counter") == present.hasSuffix("_total"))
            } else {
                let form = /([a-z_]+)(\{([a-z]+="([^"\\\n]|\\["\\n])*",?)+\})? (\S+)/
                let sample = try #require(line.wholeMatch(of: form), "\(line)")
                #expect(sample.1 == present, "\(line) in \(present)")
                let value = try #require(Double(String(sample.5)), "\(line)")
                let series = String(sample.1) + String(sample.2 ?? "")
                let former = families[present]?.updateValue(value, forKey: series)
                #expect(former == nil, "\(series) stands twice")
            }
        }
        return families
    }

    @Test func repliesAreInTheForm() throws {
        var counts = RequestCounts()
        for _ in 1...5 { counts.add(.status, 200) }
        counts.add(.metrics, 503)
        var text = PrometheusText()
        text.add(counts)
        let families = try families(text.text)
        #expect(
            families["bellerophon_requests_total"] == [
                #"bellerophon_requests_total{route="status",code="200"}"#: 5,
                #"bellerophon_requests_total{route="metrics",code="503"}"#: 1,
            ])
    }

    @Test("A condition is 1 or 0, and a metric without a known value is omitted")
    func singleMetrics() throws {
        var text = PrometheusText()
        text.single("a", "A.", true)
        text.single("b", "B.", false)
        text.single("c", "C.", Int64?.none)
        text.single("d", "D.", 1 << 40)
        text.single("e", "E.", 1.5)
        #expect(try families(text.text) == ["a": ["a": 1], "b": ["b": 0], "d": ["d": 1_099_511_627_776], "e": ["e": 1.5]])
    }

    @Test func aLabelIsEscaped() {
        #expect(PrometheusText.escaped("a\"b\\c\nd") == #"a\"b\\c\nd"#)
    }

    @Test func aServersFigures() async throws {
        try await LiveServer.talk { client, token, _ in
            for _ in 1...3 {
                _ = try client.answer(to: "/status")
            }
            _ = try client.put("/status", #"{"action":"kill"}"#, token: token)
            _ = try client.put("/v1/apps/shop/status?new=true", #"{"action":"update","requiredVersion":"2"}"#, token: token)
            let families = try self.families(try client.answer(to: "/metrics").body)
            let requests = families["bellerophon_requests_total"] ?? [:]
            #expect(requests[#"bellerophon_requests_total{route="status",code="200"}"#] == 3)
            #expect(requests[#"bellerophon_requests_total{route="publish",code="201"}"#] == 2)
            #expect(
                families["bellerophon_app_state"] == [
                    #"bellerophon_app_state{app="default",channel="main",state="active"}"#: 0,
                    #"bellerophon_app_state{app="default",channel="main",state="killed"}"#: 1,
                    #"bellerophon_app_state{app="default",channel="main",state="updateRequired"}"#: 0,
                    #"bellerophon_app_state{app="shop",channel="main",state="active"}"#: 0,
                    #"bellerophon_app_state{app="shop",channel="main",state="killed"}"#: 0,
                    #"bellerophon_app_state{app="shop",channel="main",state="updateRequired"}"#: 1,
                ])
            #expect(families["bellerophon_last_look_age_seconds"] != nil)
            #expect(families["bellerophon_certificate_expiry_seconds"] == nil, "it has none")
            // The rows of the token and of both publications, and the request for the metrics itself.
            for (name, value) in [
                ("bellerophon_snapshot_serial", 3.0), ("bellerophon_connections", 1), ("bellerophon_streams", 0),
                ("bellerophon_active_requests", 1),
            ] {
                #expect(families[name] == [name: value])
            }
            #expect(families["bellerophon_authentication_failures_total"]?.count == AuthenticationFailures().counts.count)
            #expect((families["process_start_time_seconds"]?["process_start_time_seconds"] ?? 0) > 0)
        }
    }

    @Test("At most 1000 apps appear in the metrics")
    func appMetricsAreLimited() async throws {
        let folder = try TestFolder()
        let store = try Store(folder: folder.url, creates: true)
        let row = try await store.publish(Publication(action: .kill), by: "test")
        var statuses: [Scope: PublishedStatus] = [:]
        for number in 1...1200 {
            let scope = try Scope(app: "app-\(number)")
            statuses[scope] = PublishedStatus(scope, own: row, app: nil)
        }
        var text = PrometheusText()
        text.add(statuses)
        let killed = text.text.matches(of: /app="([a-z0-9-]+)",channel="main",state="killed"} 1\n/).map { String($0.1) }
        #expect(killed == statuses.keys.map(\.app).sorted().prefix(1000).map { $0 })
    }
}
