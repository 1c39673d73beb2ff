#if Server
import BellerophonStore
import BellerophonTrust
import Foundation

/// The signed half of what clients read: signed once per change, and anew when half of a document's life is over.
struct SignedSide: Sendable {
    let signer: DocumentSigner
    private let statuses: [Scope: SignedDocument]
    private let manifests: [String: SignedDocument]
    /// Between which times the documents were issued; nil where there are none.
    private let issued: ClosedRange<Date>?

    /// - Parameters:
    ///   - former: what it says the same of and may stay, stays: a stream hears of no change where there is none.
    ///   - now: the time of issue of what is signed.
    init(_ snapshot: Snapshot, _ settings: ReadSettings, _ signer: DocumentSigner, former: SignedSide?, at now: Date) {
        self.signer = signer
        var statuses: [Scope: SignedDocument] = [:]
        for (scope, status) in snapshot.statuses {
            statuses[scope] = Self.kept(former?.statuses[scope], saying: status.body, status.serial, signer, now)
                ?? (try? signer.sign(status, issuedAt: now))
        }
        var manifests: [String: SignedDocument] = [:]
        for (name, resource) in snapshot.resources {
            let plain = DocumentSigner.manifest(resource, metaPath: settings.metaPath, dataPath: settings.dataPath)
            manifests[name] = Self.kept(former?.manifests[name], saying: plain, resource.version, signer, now)
                ?? (try? signer.sign(resource, metaPath: settings.metaPath, dataPath: settings.dataPath, issuedAt: now))
        }
        (self.statuses, self.manifests) = (statuses, manifests)
        let dates = statuses.values.map(\.issuedAt) + manifests.values.map(\.issuedAt)
        issued = dates.min().flatMap { first in dates.max().map { first...$0 } }
    }

    private static func kept(
        _ former: SignedDocument?, saying plain: Data, _ serial: Int64, _ signer: DocumentSigner, _ now: Date
    ) -> SignedDocument? {
        guard let former, former.plain == plain, former.serial == serial, signer.isFresh(former.issuedAt, at: now) else { return nil }
        return former
    }

    /// Whether something has to be signed anew.
    func isDue(at now: Date) -> Bool {
        guard let issued else { return false }
        return !signer.isFresh(issued.lowerBound, at: now) || !signer.isFresh(issued.upperBound, at: now)
    }

    /// The signed status of a scope. A channel that nobody published for gets its app's, signed for it when it is asked
    /// for, with the same time of issue: whoever asks, and wherever, gets the same document.
    func status(_ scope: Scope, in snapshot: Snapshot) -> (status: PublishedStatus, signed: SignedDocument)? {
        guard let status = snapshot.status(for: scope) else { return nil }
        if let signed = statuses[scope] { return (status, signed) }
        guard let issuedAt = statuses[scope.wholeApp]?.issuedAt, let signed = try? signer.sign(status, issuedAt: issuedAt) else { return nil }
        return (status, signed)
    }

    func manifest(_ name: String) -> SignedDocument? { manifests[name] }

    var manifestNames: some Collection<String> { manifests.keys }
}
#endif
