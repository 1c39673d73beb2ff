import BellerophonBase
import BellerophonStore
import Foundation
import NIOCore
import StatusModel
import Synchronization

extension ReadModelPublisher {
    /// The server's metrics in Prometheus' text format 0.0.4.
    /// - Parameter certificateExpiry: nil without TLS.
    nonisolated func metrics(certificateExpiry: Date?) async -> String {
        let (seen, counts) = (seen.withLock { $0 }, await counts())
        let snapshot = seen.readModel.snapshot
        var text = PrometheusText()
        text.add(counts)
        text.family("bellerophon_authentication_failures_total", "Requests of operators refused for their token.")
        for (reason, count) in limiters.failures.counts {
            text.sample("bellerophon_authentication_failures_total", ["reason": reason], count)
        }
        text.single("bellerophon_shed_total", "Requests and streams refused because there was too much to do.", counts.shed)
        text.single("bellerophon_connections", "Open connections.", limiters.connections)
        text.single("bellerophon_streams", "Open streams.", limiters.streams)
        text.single("bellerophon_active_requests", "Requests that a task works on.", limiters.requests)
        text.single("bellerophon_snapshot_serial", "The newest journal row that clients see.", snapshot.serial)
        text.single(
            "bellerophon_store_readable", "Whether the store was there and readable at the last look.",
            seen.isReadable && seen.isInPlace)
        text.single(
            "bellerophon_store_writable", "Whether the store could be written at the last check.", await health.isWritable)
        text.single("bellerophon_store_free_bytes", "Room on the store's disk at the last check.", await health.freeBytes)
        text.single(
            "bellerophon_last_look_age_seconds", "Time since the last look at the store.",
            Double((NIODeadline.now() - seen.lastLook).nanoseconds) / 1e9)
        let damage = store.contentDamage
        text.single(
            "bellerophon_damaged_files", "Files of resources that are not as they were published, and are not sent.",
            damage.files)
        text.single(
            "bellerophon_content_damage_total", "How often a resource's file was found damaged, repaired or not.",
            damage.found)
        text.single(
            "bellerophon_clocks_agree", "Whether the clocks agree; while they do not, no timed kill or update ends.",
            store.clockProblem == nil)
        if let shared = contact(seen) { text.add(shared) }
        text.single(
            "bellerophon_certificate_expiry_seconds", "When the TLS certificate ends, since 1970.",
            certificateExpiry?.timeIntervalSince1970)
        text.add(snapshot.statuses)
        text.single("process_start_time_seconds", "When the server started, since 1970.", startedAt.timeIntervalSince1970)
        text.family("bellerophon_build_info", "The version that runs.")
        text.sample("bellerophon_build_info", ["version": PackageVersion.text], 1)
        return text.text
    }

    /// The replies of all event loops and of the readers.
    nonisolated func counts() async -> RequestCounts {
        let (loops, readers) = seen.withLock { ($0.loops, $0.readers) }
        var counts = RequestCounts()
        for loop in loops { counts.add(await loop.allCounts()) }
        if let readers { counts.add(await readers.counts) }
        return counts
    }
}

extension PrometheusText {
    mutating func add(_ counts: RequestCounts) {
        family("bellerophon_requests_total", "Replies by kind of request and by code.")
        for (route, code, count) in counts.nonzero {
            sample("bellerophon_requests_total", ["route": route.label, "code": "\(code)"], count)
        }
    }

    fileprivate mutating func add(_ shared: SharedContact) {
        single(
            "bellerophon_shared_store_reachable", "Whether the journal that servers share was reached at the last try.",
            shared.isReached)
        single(
            "bellerophon_shared_store_complete",
            "Whether this server's copy had every row of the shared journal at the last look.", shared.problem == nil)
        single(
            "bellerophon_shared_store_leader", "Whether this server leads: it ends timed kills and updates.",
            shared.lead.leads)
        single(
            "bellerophon_shared_store_standbys", "Whether a standby must have a change before it is acknowledged.",
            shared.lead.standbys != nil)
        single(
            "bellerophon_shared_store_lag_seconds",
            "Time since this server had every row of the shared journal: what it serves may be this old.",
            shared.last.map { $0.duration(to: .now) / .seconds(1) })
    }

    /// The stages that clients of the first 1000 apps and channels see.
    mutating func add(_ statuses: [Scope: PublishedStatus]) {
        family("bellerophon_app_state", "What clients of an app and channel are told: 1 for the present state.")
        for (scope, status) in statuses.sorted(by: { $0.key < $1.key }).prefix(1000) {
            let present: Stage =
                switch status.entry?.base.action {
                case .kill: .killed
                case .update: .updateRequired
                case .restore, .rules, nil: .active
                }
            for stage in Stage.allCases where stage != .unknown {
                let labels: KeyValuePairs = ["app": scope.app, "channel": scope.channel, "state": stage.rawValue]
                sample("bellerophon_app_state", labels, stage == present ? 1 : 0)
            }
        }
    }
}
