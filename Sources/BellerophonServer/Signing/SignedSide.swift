import BellerophonStore
import BellerophonTrust
import Foundation

/// The signed documents of a read model, signed once per change and again after half of their lifetime.
struct SignedSide: Sendable {
    let signer: DocumentSigner
    private let statuses: [Scope: SignedDocument]
    private let manifests: [String: SignedDocument]
    /// What could not be signed, and why. A resource without a SHA-256 is no problem: its publisher has omitted it.
    let problems: [String]
    /// The earliest and latest time of issue; nil without documents.
    private let issued: ClosedRange<Date>?
    /// The highest serial that was signed for each scope.
    private let serials: [Scope: Int64]
    /// Documents for channels without a publish, signed since this value was created.
    let memo = BoundedMemo<Scope, SignedDocument>(limit: 256)

    /// - Parameters:
    ///   - former: unchanged and fresh documents are reused from it, so that streams get no needless event.
    ///   - now: decides the time of issue of newly signed documents.
    init(_ snapshot: Snapshot, _ settings: ReadSettings, _ signer: DocumentSigner, former: SignedSide?, at now: Date) {
        self.signer = signer
        var (statuses, manifests, problems) = ([Scope: SignedDocument](), [String: SignedDocument](), [String]())
        var serials = former?.serials ?? [:]
        // Documents of another key are signed again; the serials continue.
        let keepable = former.flatMap { $0.signer.signsLike(signer) ? $0 : nil }
        for (scope, status) in snapshot.statuses {
            let kept = Self.kept(keepable?.statuses[scope], saying: status.body, status.serial, signer, now)
            let least = Self.leastSerial(scope, saying: status.body, after: former)
            do throws(SigningError) {
                let signed = if let kept { kept } else { try signer.sign(status, at: now, atLeast: least) }
                statuses[scope] = signed
                serials[scope] = max(signed.signedSerial, serials[scope] ?? 0)
            } catch {
                problems.append("\(scope): \(error)")
            }
        }
        let (meta, data) = (settings.metaPath, settings.dataPath)
        for (name, resource) in snapshot.resources where resource.sha256 != nil {
            let plain = DocumentSigner.manifest(resource, metaPath: meta, dataPath: data)
            let kept = Self.kept(keepable?.manifests[name], saying: plain, resource.version, signer, now)
            do throws(SigningError) {
                manifests[name] =
                    if let kept { kept } else {
                        try signer.sign(resource, metaPath: meta, dataPath: data, at: now)
                    }
            } catch {
                problems.append("\(name): \(error)")
            }
        }
        (self.statuses, self.manifests, self.problems, self.serials) = (statuses, manifests, problems.sorted(), serials)
        let dates = statuses.values.map(\.issuedAt) + manifests.values.map(\.issuedAt)
        issued = dates.min().flatMap { first in dates.max().map { first...$0 } }
    }

    private static func kept(
        _ former: SignedDocument?, saying plain: Data, _ serial: Int64, _ signer: DocumentSigner, _ now: Date
    ) -> SignedDocument? {
        guard let former, former.plain == plain, former.serial == serial, signer.isFresh(former.issuedAt, at: now) else {
            return nil
        }
        return former
    }

    /// The minimum serial that clients accept after what they have seen. If a clock ran ahead and was set back, clients
    /// may have seen the end of a timed status that is still to come.
    private static func leastSerial(_ scope: Scope, saying plain: Data, after former: SignedSide?) -> Int64 {
        // A channel without a publish has shown its app's status.
        guard let former, let last = former.serials[scope] ?? former.serials[scope.wholeApp] else { return 0 }
        let shown = former.statuses[scope] ?? former.statuses[scope.wholeApp]
        return shown?.plain == plain && shown?.signedSerial == last ? last : last + 1
    }

    /// Whether a document must be signed again.
    func isDue(at now: Date) -> Bool {
        guard let issued else { return false }
        return !signer.isFresh(issued.lowerBound, at: now) || !signer.isFresh(issued.upperBound, at: now)
    }

    /// The signed status of a scope. A channel without a publish gets its app's status, signed on request with the same
    /// time of issue and serial, so that all requests get the same document.
    func status(_ scope: Scope, in snapshot: Snapshot) -> (status: PublishedStatus, signed: SignedDocument)? {
        guard let status = snapshot.status(for: scope) else { return nil }
        if let signed = statuses[scope] { return (status, signed) }
        guard let app = statuses[scope.wholeApp] else { return nil }
        let signed = try? memo.value(scope) { try signer.sign(status, at: app.issuedAt, atLeast: app.signedSerial) }
        return signed.map { (status, $0) }
    }

    func manifest(_ name: String) -> SignedDocument? { manifests[name] }

    var manifestNames: some Collection<String> { manifests.keys }
}
