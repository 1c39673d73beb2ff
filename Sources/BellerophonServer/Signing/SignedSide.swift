#if Server
import BellerophonStore
import BellerophonTrust
import Foundation

/// The signed half of what clients read: signed once per change, and anew when half of a document's life is over.
struct SignedSide: Sendable {
    let signer: DocumentSigner
    private let statuses: [Scope: SignedDocument]
    private let manifests: [String: SignedDocument]
    /// What could not be signed, and why. A resource without a SHA-256 is not among them: that was its publisher's choice.
    let problems: [String]
    /// Between which times the documents were issued; nil where there are none.
    private let issued: ClosedRange<Date>?
    /// The highest serial that was signed for each scope.
    private let serials: [Scope: Int64]
    /// What was signed for channels that nobody published for, since this was made.
    let memo = BoundedMemo<Scope, SignedDocument>(limit: 256)

    /// - Parameters:
    ///   - former: what it says the same of and may stay, stays: a stream hears of no change where there is none.
    ///   - now: the time of issue of what is signed.
    init(_ snapshot: Snapshot, _ settings: ReadSettings, _ signer: DocumentSigner, former: SignedSide?, at now: Date) {
        self.signer = signer
        var (statuses, manifests, problems) = ([Scope: SignedDocument](), [String: SignedDocument](), [String]())
        var serials = former?.serials ?? [:]
        // What another key signed is signed anew, and the serials go on from there.
        let keepable = former.flatMap { $0.signer.signsLike(signer) ? $0 : nil }
        for (scope, status) in snapshot.statuses {
            let kept = Self.kept(keepable?.statuses[scope], saying: status.body, status.serial, signer, now)
            let least = Self.leastSerial(scope, saying: status.body, after: former)
            do throws(SigningError) {
                let signed = if let kept { kept } else { try signer.sign(status, issuedAt: now, atLeast: least) }
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
                        try signer.sign(resource, metaPath: meta, dataPath: data, issuedAt: now)
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

    /// The serial below which a status would be refused by clients that have seen what was signed before: a clock that
    /// ran ahead and was set back may have shown an end that is still to come.
    private static func leastSerial(_ scope: Scope, saying plain: Data, after former: SignedSide?) -> Int64 {
        // A channel that nobody published for showed its app's.
        guard let former, let last = former.serials[scope] ?? former.serials[scope.wholeApp] else { return 0 }
        let shown = former.statuses[scope] ?? former.statuses[scope.wholeApp]
        return shown?.plain == plain && shown?.signedSerial == last ? last : last + 1
    }

    /// Whether something has to be signed anew.
    func isDue(at now: Date) -> Bool {
        guard let issued else { return false }
        return !signer.isFresh(issued.lowerBound, at: now) || !signer.isFresh(issued.upperBound, at: now)
    }

    /// The signed status of a scope. A channel that nobody published for gets its app's, signed for it when it is asked
    /// for, with the same time of issue and serial: whoever asks, and wherever, gets the same document.
    func status(_ scope: Scope, in snapshot: Snapshot) -> (status: PublishedStatus, signed: SignedDocument)? {
        guard let status = snapshot.status(for: scope) else { return nil }
        if let signed = statuses[scope] { return (status, signed) }
        guard let app = statuses[scope.wholeApp] else { return nil }
        let signed = memo.value(scope) { try? signer.sign(status, issuedAt: app.issuedAt, atLeast: app.signedSerial) }
        return signed.map { (status, $0) }
    }

    func manifest(_ name: String) -> SignedDocument? { manifests[name] }

    var manifestNames: some Collection<String> { manifests.keys }
}
#endif
