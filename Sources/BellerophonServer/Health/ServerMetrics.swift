import BellerophonBase
import BellerophonStore
import Foundation
import NIOCore
import StatusModel

/// The server's metrics at one moment.
struct ServerMetrics {
    var counts = RequestCounts()
    var connections = 0
    var streams = 0
    var activeRequests = 0
    var authenticationFailures: [(reason: AuthenticationFailures.Reason, count: UInt64)] = []
    var serial: Int64 = 0
    var snapshots = 0
    var renewals = 0
    var stages: [(scope: Scope, stage: Stage)] = []
    var isReadable = true
    /// Nil before the first check.
    var isWritable: Bool?
    var freeBytes: Int64?
    /// The time since the last check of the store.
    var lookAge = TimeAmount.zero
    var damage = ContentDamage()
    /// Whether the clocks agree, so that timed kills and updates end.
    var clocksAgree = true
    /// Nil if the store is this machine's alone.
    var shared: SharedContact?
    /// Nil without TLS.
    var certificateExpiry: Date?
    var startedAt = Date()
    var process = ProcessFigures.now

    /// The metrics in Prometheus' text format 0.0.4.
    var text: String {
        var text = PrometheusText()
        addRequests(to: &text)
        addLoad(to: &text)
        addStore(to: &text)
        addStates(to: &text)
        addProcess(to: &text)
        text.family("bellerophon_build_info", .gauge, "The version that runs.")
        text.sample("bellerophon_build_info", ["version": PackageVersion.text], 1)
        return text.text
    }

    private func addRequests(to text: inout PrometheusText) {
        text.family("bellerophon_requests_total", .counter, "Replies by kind of request and by code.")
        for (route, code, count) in counts.nonzero {
            text.sample("bellerophon_requests_total", ["route": route.label, "code": "\(code)"], count)
        }
        let name = "bellerophon_request_duration_seconds"
        text.family(name, .histogram, "Time from a request's head to its reply's last byte, without streams.")
        for (route, histogram) in counts.durations.nonzero {
            for (bound, count) in zip(RequestDurations.bounds, histogram.counts) {
                text.sample("\(name)_bucket", ["route": route.label, "le": bound], count)
            }
            text.sample("\(name)_sum", ["route": route.label], histogram.seconds)
            text.sample("\(name)_count", ["route": route.label], histogram.counts.last ?? 0)
        }
        text.family("bellerophon_authentication_failures_total", .counter, "Requests of operators refused for their token.")
        for (reason, count) in authenticationFailures {
            text.sample("bellerophon_authentication_failures_total", ["reason": reason.rawValue], count)
        }
    }

    private func addLoad(to text: inout PrometheusText) {
        text.single("bellerophon_sent_bytes_total", .counter, "Bytes of replies and stream messages.", counts.bytes)
        text.single("bellerophon_stream_messages_total", .counter, "Messages written to streams, heartbeats too.", counts.pushed)
        text.single(
            "bellerophon_shed_total", .counter, "Requests and streams refused because there was too much to do.", counts.shed)
        text.single("bellerophon_connections", .gauge, "Open connections.", connections)
        text.single("bellerophon_streams", .gauge, "Open streams.", streams)
        text.single("bellerophon_active_requests", .gauge, "Requests that a task works on.", activeRequests)
    }

    private func addStore(to text: inout PrometheusText) {
        text.single("bellerophon_snapshot_serial", .gauge, "The newest journal row that clients see.", serial)
        text.single("bellerophon_snapshots_total", .counter, "Changes of what clients see since the start.", snapshots)
        text.single("bellerophon_signing_renewals_total", .counter, "How often signatures were renewed in time.", renewals)
        text.single(
            "bellerophon_store_readable", .gauge, "Whether the store was there and readable at the last look.",
            Self.flag(isReadable))
        text.single(
            "bellerophon_store_writable", .gauge, "Whether the store could be written at the last check.",
            known: isWritable.map(Self.flag)
        )
        text.single("bellerophon_store_free_bytes", .gauge, "Room on the store's disk at the last check.", known: freeBytes)
        text.single(
            "bellerophon_last_look_age_seconds", .gauge, "Time since the last look at the store.",
            Double(lookAge.nanoseconds) / 1e9
        )
        text.single(
            "bellerophon_damaged_files", .gauge, "Files of resources that are not as they were published, and are not sent.",
            damage.files)
        text.single(
            "bellerophon_content_damage_total", .counter, "How often a resource's file was found damaged, repaired or not.",
            damage.found)
        text.single(
            "bellerophon_clocks_agree", .gauge, "Whether the clocks agree; while they do not, no timed kill or update ends.",
            Self.flag(clocksAgree))
        addShared(to: &text)
        text.single(
            "bellerophon_certificate_expiry_seconds", .gauge, "When the TLS certificate ends, since 1970.",
            known: certificateExpiry?.timeIntervalSince1970
        )
    }

    private func addShared(to text: inout PrometheusText) {
        guard let shared else { return }
        text.single(
            "bellerophon_shared_store_reachable", .gauge, "Whether the journal that servers share was reached at the last try.",
            Self.flag(shared.isReached))
        text.single(
            "bellerophon_shared_store_complete", .gauge,
            "Whether this server's copy had every row of the shared journal at the last look.", Self.flag(shared.problem == nil))
        text.single(
            "bellerophon_shared_store_leader", .gauge, "Whether this server leads: it ends timed kills and updates.",
            Self.flag(shared.lead.leads))
        text.single(
            "bellerophon_shared_store_standbys", .gauge, "Whether a standby must have a change before it is acknowledged.",
            Self.flag(shared.lead.standbys != nil))
        text.single(
            "bellerophon_shared_store_lag_seconds", .gauge,
            "Time since this server had every row of the shared journal: what it serves may be this old.",
            known: shared.last.map { $0.duration(to: .now) / .seconds(1) })
    }

    private func addStates(to text: inout PrometheusText) {
        text.family("bellerophon_app_state", .gauge, "What clients of an app and channel are told: 1 for the present state.")
        for (scope, present) in stages {
            for stage in Stage.allCases where stage != .unknown {
                let labels: KeyValuePairs = ["app": scope.app, "channel": scope.channel, "state": stage.rawValue]
                text.sample("bellerophon_app_state", labels, Self.flag(stage == present))
            }
        }
    }

    private func addProcess(to text: inout PrometheusText) {
        text.single("process_start_time_seconds", .gauge, "When the server started, since 1970.", startedAt.timeIntervalSince1970)
        text.single("process_cpu_seconds_total", .counter, "Processor time of user and system.", known: process.cpuSeconds)
        text.single("process_resident_memory_bytes", .gauge, "Memory in use.", known: process.residentBytes)
        text.single("process_virtual_memory_bytes", .gauge, "Memory that has addresses.", known: process.virtualBytes)
        text.single("process_open_fds", .gauge, "Open file descriptors.", known: process.openFiles)
        text.single("process_max_fds", .gauge, "How many may be open.", known: process.maximumFiles)
    }

    private static func flag(_ value: Bool) -> Int { value ? 1 : 0 }
}

extension Stage {
    /// The maximum number of apps and channels in the metrics; further ones are left out.
    private static let limit = 1000

    /// The stages that clients of each app and channel see, sorted by scope.
    static func all(_ statuses: [Scope: PublishedStatus]) -> [(scope: Scope, stage: Stage)] {
        statuses.sorted { $0.key < $1.key }.prefix(limit).map { ($0.key, Stage($0.value)) }
    }

    private init(_ status: PublishedStatus) {
        self =
            switch status.entry?.base.action {
            case .kill: .killed
            case .update: .updateRequired
            case .restore, .rules, nil: .active
            }
    }
}
