import BellerophonBase
import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Receives a meta document in memory.
struct MetaReceiver: HTTPHandler {
    private(set) var status = 0
    private(set) var tag: String?
    private(set) var body = Data()
    private let limit: Int64

    /// - Parameter limit: the maximum size of the document in bytes.
    init(limit: Int64) {
        self.limit = limit
    }

    mutating func take(_ head: HTTPURLResponse) -> HTTPVerdict<CloudBoxError.Reason> {
        (status, tag) = (head.statusCode, head.value(forHTTPHeaderField: "ETag").flatMap { $0.isEmpty ? nil : $0 })
        guard status == 200 || status == 304 else { return .cut(.httpStatus(status)) }
        return head.expectedContentLength > limit ? .cut(tooLarge) : .proceed
    }

    mutating func take(_ bytes: Data) -> HTTPVerdict<CloudBoxError.Reason> {
        guard Int64(body.count + bytes.count) <= limit else { return .cut(tooLarge) }
        body.append(bytes)
        return .proceed
    }

    private var tooLarge: CloudBoxError.Reason { .badMeta("it is larger than \(limit) bytes") }
}

/// Writes a resource's file to the disk while it arrives.
///
/// Unchecked because only one thread at a time uses it and its part file.
final class FileReceiver: HTTPHandler, @unchecked Sendable {
    struct Rules: Sendable {
        var meta: ResourceMeta
        var have: Int64?
        /// The maximum size of the file in bytes.
        var limit: Int64
        /// The number of bytes that the resource may have within the total limit; read again while the file grows.
        var room: @Sendable () -> Int64
        var totalBytes: Int64
        /// Called with the number of bytes in the part file and the total.
        var onProgress: @Sendable (Int64, Int64?) -> Void
    }

    let part: PartFile
    private let factsURL: URL
    private let rules: Rules
    /// The number of bytes from an earlier transfer.
    let offset: Int64
    /// Where those bytes are from.
    private let earlier: PartFacts?
    /// The number of bytes from this transfer.
    private(set) var received: Int64 = 0
    private(set) var version: Int64?
    private(set) var isResumed = false
    /// Whether a later transfer can resume this one.
    private(set) var canGoOn = false
    private var total: Int64?

    init(_ part: PartFile, from earlier: PartFacts?, factsURL: URL, rules: Rules) {
        self.part = part
        self.earlier = earlier
        self.factsURL = factsURL
        self.rules = rules
        offset = part.count
        total = rules.meta.size
    }

    // MARK: Head

    func take(_ head: HTTPURLResponse) -> HTTPVerdict<SyncMachine.FileAnswer> {
        refusal(of: head).map { .cut($0) } ?? .proceed
    }

    private func refusal(of head: HTTPURLResponse) -> SyncMachine.FileAnswer? {
        switch head.statusCode {
        case 200: break
        case 206 where offset > 0: isResumed = true
        case 416 where offset > 0: return .notResumable
        default: return .failed(.httpStatus(head.statusCode))
        }
        // A store may repeat a coding that an uploader has named. Only a digest proves that the bytes are those of the file.
        if rules.meta.digest == nil, let coding = head.value(forHTTPHeaderField: "Content-Encoding"), !Self.isIdentity(coding) {
            return .failed(.coded(coding))
        }
        let text = head.value(forHTTPHeaderField: "Resource-Version")
        let (version, end) = SyncMachine.read(version: text, meta: rules.meta, have: rules.have)
        self.version = version
        return end ?? begin(head)
    }

    private static func isIdentity(_ codings: String) -> Bool {
        codings.split(separator: ",").allSatisfy {
            ["identity", ""].contains($0.trimmingCharacters(in: .whitespaces).lowercased())
        }
    }

    private func begin(_ head: HTTPURLResponse) -> SyncMachine.FileAnswer? {
        do throws(FileError) {
            if isResumed {
                guard isSameFile(head), goesOn(at: ContentRange(head.value(forHTTPHeaderField: "Content-Range"))) else {
                    return .notResumable
                }
            } else if part.count > 0 {
                try part.restart()
            }
        } catch {
            return .failed(.disk(error.description))
        }
        let length = head.expectedContentLength
        if total == nil, length >= 0 { total = part.count + length }
        saveFacts(tag: Self.strongTag(head))
        rules.onProgress(part.count, total)
        return total.flatMap { excess($0) }.map { .failed($0) }
    }

    /// Whether a partial response is of the file that the existing bytes are the beginning of. Parts are combined only if they have the
    /// same strong entity tag (RFC 9110, section 15.3.7.3), or if a digest proves the file that they make.
    private func isSameFile(_ head: HTTPURLResponse) -> Bool {
        let (had, has) = (earlier?.tag, Self.strongTag(head))
        if let had, let has, earlier?.url == rules.meta.url.absoluteString { return had == has }
        return rules.meta.digest != nil
    }

    /// Whether a partial response continues the existing bytes, and the complete file can be recognised. A server may
    /// send less than the requested range (RFC 9110, section 15.3.7).
    private func goesOn(at range: ContentRange?) -> Bool {
        guard let range, range.bytes.lowerBound == offset else { return false }
        guard let whole = range.total else { return rules.meta.size != nil || rules.meta.digest != nil }
        total = total ?? whole
        return total == whole
    }

    private static func strongTag(_ head: HTTPURLResponse) -> String? {
        head.value(forHTTPHeaderField: "ETag").flatMap { $0.hasPrefix("\"") && $0.utf8.count <= FolderState.tagLimit ? $0 : nil }
    }

    private func saveFacts(tag: String?) {
        let facts = PartFacts(
            url: rules.meta.url.absoluteString, version: rules.meta.version, tag: tag,
            digest: rules.meta.digest?.description, run: PartFacts.thisRun
        )
        canGoOn = facts.isPart(of: rules.meta) && (try? facts.save(factsURL)) != nil
    }

    // MARK: Bytes

    func take(_ bytes: Data) -> HTTPVerdict<SyncMachine.FileAnswer> {
        if let reason = excess(part.count + Int64(bytes.count)) { return .cut(.failed(reason)) }
        do throws(FileError) {
            try part.append(bytes)
        } catch {
            return .cut(.failed(.disk(error.description)))
        }
        received += Int64(bytes.count)
        rules.onProgress(part.count, total)
        return .proceed
    }

    private func excess(_ size: Int64) -> CloudBoxError.Reason? {
        if size > rules.limit { return .tooLarge(limit: rules.limit) }
        if size > rules.room() { return .folderFull(limit: rules.totalBytes) }
        guard let total, size > total else { return nil }
        return .wrongSize(expected: total, got: size)
    }

    /// Whether fewer bytes arrived than announced. This detects an interruption that the transport did not report.
    var isShort: Bool { total.map { part.count < $0 } ?? false }
}

/// The range of a partial response: `Content-Range: bytes 100-199/200` (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    let bytes: ClosedRange<Int64>
    /// The total size in bytes; nil if the server does not know it (`*`).
    let total: Int64?

    /// Nil if the field is missing, contains no byte range or is inconsistent.
    init?(_ field: String?) {
        guard let field, field.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else { return nil }
        bytes = first...last
        if parts[1].trimmingCharacters(in: .whitespaces) == "*" {
            total = nil
            return
        }
        guard let whole = Self.number(parts[1]), whole > last else { return nil }
        total = whole
    }

    private static func number(_ text: Substring) -> Int64? {
        VersionNumber(digits: text.trimmingCharacters(in: .whitespaces))?.value
    }
}
