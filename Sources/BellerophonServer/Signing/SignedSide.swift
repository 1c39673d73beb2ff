import BellerophonStore
import BellerophonTrust
import Foundation

/// The signed documents of a read model, signed once per change and again after half of their lifetime.
package struct SignedSide: Sendable {
    let signer: DocumentSigner
    private let statuses: [Scope: SignedDocument]
    let manifests: [String: SignedDocument]
    /// What could not be signed, and why. A resource without a SHA-256 is no problem: its publisher has omitted it.
    package let problems: [String]
    private let issued: [Date]
    /// The highest serial that was signed for each scope.
    private let serials: [Scope: Int64]
    /// Documents for channels without a publish, signed since this value was created.
    let memo = BoundedMemo<Scope, SignedDocument>(limit: 256)

    /// - Parameters:
    ///   - former: unchanged and fresh documents are reused from it, so that streams get no needless event.
    ///   - now: decides the time of issue of newly signed documents.
    init(_ snapshot: Snapshot, _ signer: DocumentSigner, former: SignedSide?, at now: Date) {
        self.signer = signer
        var (statuses, manifests, problems) = ([Scope: SignedDocument](), [String: SignedDocument](), [String]())
        var serials = former?.serials ?? [:]
        // Documents of another key are signed again; the serials continue.
        let keepable = former.flatMap { $0.signer.signsLike(signer) ? $0 : nil }
        func document(
            _ subject: String, _ former: SignedDocument?, saying plain: Data, _ serial: Int64,
            sign: () throws(SigningError) -> SignedDocument
        ) -> SignedDocument? {
            if let former, former.plain == plain, former.serial == serial, signer.isFresh(former.issuedAt, at: now) {
                return former
            }
            do throws(SigningError) {
                return try sign()
            } catch {
                problems.append("\(subject): \(error)")
                // It is still valid, and is due at the next look.
                return former.flatMap { $0.plain == plain && $0.serial == serial ? $0 : nil }
            }
        }
        for (scope, status) in snapshot.statuses {
            let least = Self.leastSerial(scope, saying: status.body, after: former)
            let signed = document("\(scope)", keepable?.statuses[scope], saying: status.body, status.serial) {
                () throws(SigningError) in try signer.sign(status, at: now, atLeast: least)
            }
            guard let signed else { continue }
            statuses[scope] = signed
            serials[scope] = max(signed.signedSerial, serials[scope] ?? 0)
        }
        for (name, resource) in snapshot.resources where resource.sha256 != nil {
            let plain = DocumentSigner.manifest(resource)
            manifests[name] = document(name, keepable?.manifests[name], saying: plain, resource.version) {
                () throws(SigningError) in try signer.sign(resource, at: now)
            }
        }
        (self.statuses, self.manifests, self.problems, self.serials) = (statuses, manifests, problems.sorted(), serials)
        issued = statuses.values.map(\.issuedAt) + manifests.values.map(\.issuedAt)
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
    func isDue(at now: Date) -> Bool { issued.contains { !signer.isFresh($0, at: now) } }

    /// The signed status of a scope. A channel without a publish gets its app's status, signed on request with the same
    /// time of issue and serial, so that all requests get the same document.
    func status(_ scope: Scope, in snapshot: Snapshot) -> (status: PublishedStatus, signed: SignedDocument)? {
        guard let status = snapshot.status(for: scope) else { return nil }
        if let signed = statuses[scope] { return (status, signed) }
        guard let app = statuses[scope.wholeApp] else { return nil }
        let signed = try? memo.value(scope) { try signer.sign(status, at: app.issuedAt, atLeast: app.signedSerial) }
        return signed.map { (status, $0) }
    }
}
