import BellerophonStore
import Foundation
import NIOCore

/// Whether the server is fully functional: it has read its store recently and can write to it.
struct Readiness: Equatable, Sendable {
    /// The reasons why the server is not ready; empty if it is.
    let reasons: [String]
    /// The lead and the standbys of a shared store; nil if the store is this machine's alone.
    var lead: SharedLead?

    var isReady: Bool { reasons.isEmpty }

    /// If the last check of the store is older, the server may have missed a publish.
    static let lookLimit = TimeAmount.seconds(10)

    /// If this server has not known for longer whether it has every row of a shared journal, it may have missed a publish.
    static let lagLimit = Duration.seconds(10)

    /// A change by time, such as the end of a kill or the begin of a window, whose row is missing for longer is overdue: the server that
    /// leads writes it within a second, and another one after 15.
    static let overdueLimit: TimeInterval = 20

    /// - Parameters:
    ///   - overdue: by how many seconds a change by time is late; nil if none is.
    ///   - isInPlace: the store's path still refers to the opened file.
    ///   - isReadable: the last check of the store succeeded.
    ///   - lookAge: the time since that check.
    ///   - writeProblem: why the store can't be written; nil if it can.
    ///   - shared: the contact with the journal of a shared store.
    ///   - damagedFiles: the number of resources' files that are not as they were published.
    ///   - clocks: what is wrong with the clocks; nil if they agree.
    ///   - unread: the number of scopes whose newest row can't be read.
    ///   - now: when that holds.
    init(
        isInPlace: Bool, isReadable: Bool, lookAge: TimeAmount, writeProblem: String?, shared: SharedContact? = nil,
        damagedFiles: Int = 0, clocks: ClockProblem? = nil, overdue: TimeInterval? = nil, unread: Int = 0,
        at now: ContinuousClock.Instant = .now
    ) {
        lead = shared?.lead
        var reasons: [String] = []
        if !isInPlace { reasons.append("the store's file was moved or replaced; restart the server") }
        if !isReadable { reasons.append("the store can't be read") }
        if lookAge >= Self.lookLimit {
            reasons.append("the store was not looked at for \(lookAge.nanoseconds / 1_000_000_000) s")
        }
        if let reason = shared?.problem?.reason ?? writeProblem { reasons.append(reason) }
        if let shared, shared.problem == nil, let last = shared.last, last.duration(to: now) > Self.lagLimit {
            reasons.append("the shared journal was not looked at for \(last.duration(to: now).components.seconds) s")
        }
        if let count = shared?.missing.count, count > 0 {
            reasons.append("the bytes of resources are missing in the shared content: \(count)")
        }
        if damagedFiles > 0 {
            reasons.append("files of resources are damaged, and are not sent; the log names them: \(damagedFiles)")
        }
        if let clocks { reasons.append(clocks.text) }
        if let overdue, overdue > Self.overdueLimit {
            reasons.append("the end of a status or the phase of a rule is overdue for \(Int(overdue)) s")
        }
        if unread > 0 {
            reasons.append(
                "statuses are served whose rows this version can't read, so that nothing can be published for their apps; the log "
                    + "names them: \(unread)")
        }
        self.reasons = reasons
    }

    /// `{"ready":true}`, or `{"ready":false,"reasons":["…"]}`. With a shared store, also
    /// `"shared":{"leads":true,"standbys":"…"}`, where `standbys` is null if none must have a change before it is acknowledged.
    var json: String {
        var members = ["\"ready\":\(isReady)"]
        if !isReady { members.append("\"reasons\":[\(reasons.map { UnseenText.quoted($0) }.joined(separator: ","))]") }
        if let lead {
            let standbys = lead.standbys.map { UnseenText.quoted($0) } ?? "null"
            members.append("\"shared\":{\"leads\":\(lead.leads),\"standbys\":\(standbys)}")
        }
        return "{\(members.joined(separator: ","))}"
    }
}
