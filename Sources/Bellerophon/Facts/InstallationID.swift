import BellerophonBase
import Foundation

/// The text that tells one installation of an app from another, for the share of a rule: 16 random bytes as hexadecimal digits, in
/// the file `install-id` beside the kept statuses.
///
/// It is made once. If it can't be stored there is none: a new one in every run would draw the installation again and again.
package struct InstallationID: Sendable {
    /// The place of the file.
    package let url: URL

    static let fileName = "install-id"
    private static let digits = 32
    /// More than any ID; a larger file is damaged.
    private static let sizeLimit = 4096
    /// How long a process waits while another one replaces a damaged file.
    private static let patience = Duration.milliseconds(200)

    /// - Parameter folder: the folder of the app's state. It need not exist.
    package init(in folder: URL) {
        url = folder.appendingPathComponent(Self.fileName)
    }

    /// The kept ID; a new one, which is kept from now on, if there is none or its file is damaged.
    ///
    /// Processes that start at the same time get the same one. Reading takes one small file. Only the first run of an installation
    /// writes and waits for the disk.
    /// - Parameter randomness: makes a new ID.
    /// - Returns: nil if no ID is kept and none can be.
    package func text(_ randomness: () -> [UInt8] = Self.randomBytes) -> String? {
        switch kept() {
        case .valid(let text): text
        case .missing: create(randomness())
        case .damaged: repair(randomness())
        case .unavailable: nil
        }
    }

    /// 16 random bytes.
    package static func randomBytes() -> [UInt8] {
        (0..<digits / 2).map { _ in UInt8.random(in: 0...255) }
    }

    /// Whether a text that an app or a person has given can be an installation's ID: 1 to 128 bytes without control characters.
    package static func isValid(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    // MARK: The file

    private enum Kept: Equatable {
        case valid(String)
        case missing
        /// There is a file, and it will never have an ID.
        case damaged
        /// The file can't be read now, for example without free descriptors. It may be read later, so it is left alone.
        case unavailable
    }

    private func kept() -> Kept {
        do {
            guard let data = try StateFileAccess.read(url, limit: Self.sizeLimit) else { return .missing }
            return Self.text(in: data).map { .valid($0) } ?? .damaged
        } catch .unusable {
            return .damaged
        } catch {
            // A file that this user can't read now can't be read later either.
            return access(url.path, R_OK) != 0 && errno == EACCES ? .damaged : .unavailable
        }
    }

    private static func text(in data: Data) -> String? {
        guard data.count == digits + 1, data.last == UInt8(ascii: "\n") else { return nil }
        let text = data.dropLast()
        let isHexadecimal = text.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isHexadecimal ? String(decoding: text, as: UTF8.self) : nil
    }

    /// Writes the file unless another process is faster.
    private func create(_ bytes: [UInt8]) -> String? {
        do throws(FileError) {
            try FileCalls.makeFolder(url.deletingLastPathComponent())
            let draft = url.deletingLastPathComponent().appendingPathComponent(".\(Self.fileName).\(UUID().uuidString)")
            try FileCalls.replace(url.path, with: Self.content(bytes), draft: draft.path, createsOnly: true)
        } catch {
            // The file of another process, or a file that is there although its folder could not be flushed.
        }
        return keptText ?? (isBrokenLink ? repair(bytes) : nil)
    }

    /// Whether the file is a link to a file that does not exist. Nobody can make a file at such a name without removing the link.
    private var isBrokenLink: Bool {
        FileFacts(path: url.path, followsLinks: false)?.isKind(S_IFLNK) == true && kept() == .missing
    }

    /// Replaces a damaged file. Of several processes that find it, one does so.
    private func repair(_ bytes: [UInt8]) -> String? {
        guard let lock = try? FileLock.wait(url.path + ".lock", limit: Self.patience, interval: .milliseconds(1)) else {
            return keptText
        }
        return withExtendedLifetime(lock) {
            if kept() == .damaged || isBrokenLink { try? StateFileAccess.replace(url, with: Self.content(bytes)) }
            return keptText
        }
    }

    private var keptText: String? {
        if case .valid(let text) = kept() { text } else { nil }
    }

    private static func content(_ bytes: [UInt8]) -> Data {
        let hexadecimal = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return Data("\(hexadecimal)\n".utf8)
    }
}

extension StatusStore {
    /// The ID of the installation, kept beside the statuses of a ``FileStatusStore``; nil for any other store, and if it can't be
    /// kept.
    package var installationID: String? {
        (self as? FileStatusStore).flatMap { InstallationID(in: $0.url.deletingLastPathComponent()).text() }
    }
}
