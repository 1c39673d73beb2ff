import Foundation

/// Who changed a store, as far as the changing program can tell.
package struct Author: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// A command on the store's machine. ``Author/uid`` is reliable; the other fields are what the system reports.
        case local
        /// A request to a server with a token. ``Author/name`` is the token's name.
        case token
        /// A server on its own, such as at the end of a timed kill.
        case server
    }

    package let kind: Kind
    /// The author as shown in the journal, on one line.
    package let name: String
    /// The process's real user ID.
    package private(set) var uid: UInt32?
    /// The name of ``uid``.
    package private(set) var user: String?
    /// The user who logged in, which `sudo` and `su` do not change.
    package private(set) var loginUser: String?
    /// The value of `SUDO_USER`, which any user can set.
    package private(set) var sudoUser: String?
    /// The client's address.
    package private(set) var address: String?

    /// The name of the token; nil for an author without one.
    var tokenName: String? { kind == .token ? name : nil }

    /// The author of previews, which are never published.
    static let nobody = Author(kind: .server, name: "")

    /// The server on its own.
    package static let server = Author(kind: .server, name: "bellerophon-server")

    /// The author of a request to a server.
    /// - Parameters:
    ///   - token: the name of the request's token.
    ///   - address: the client's address, if known.
    package static func token(_ token: String, address: String? = nil) -> Author {
        Author(kind: .token, name: StoreText.who(token), address: address)
    }

    /// The user of this process. `USER` and `LOGNAME` are not trusted, because any user can set them.
    package static func thisProcess(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Author {
        let uid = getuid()
        let (user, loginUser) = (UserName.of(uid) ?? "#\(uid)", UserName.ofLogin())
        let sudoUser = environment["SUDO_USER"].flatMap { StoreText.singleLine(String($0.prefix(64))) }
        let other = [("login", loginUser), ("SUDO_USER", sudoUser)].first { ($0.1 ?? user) != user }
        let note = other.map { " (\($0.0) \($0.1 ?? ""))" } ?? ""
        return Author(
            kind: .local, name: StoreText.who("\(user)@\(hostName)\(note)"), uid: uid, user: user, loginUser: loginUser,
            sudoUser: sudoUser
        )
    }

    private static var hostName: String { systemText(gethostname) ?? "localhost" }
}

/// The text that a call of the system writes, at most 255 bytes; nil after an error.
private func systemText(_ call: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String? {
    var bytes = [CChar](repeating: 0, count: 256)
    guard call(&bytes, bytes.count - 1) == 0 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension Author: ExpressibleByStringLiteral {
    /// A local program by its name, without an account.
    package init(stringLiteral name: String) {
        self.init(kind: .local, name: StoreText.who(name))
    }
}

/// The names of the system's accounts.
enum UserName {
    /// Nil for a user ID without a name on this machine.
    static func of(_ user: uid_t) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name else {
            return nil
        }
        return String(cString: name)
    }

    /// The user of this process's login session; nil without a session, or if the system does not provide it.
    static func ofLogin() -> String? {
        // The kernel keeps this ID from the login on (audit); programs of the session can't change it.
        if let text = try? String(contentsOfFile: "/proc/self/loginuid", encoding: .utf8),
            let user = uid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)), user != uid_t.max
        {
            return of(user)
        }
        return systemText(getlogin_r)
    }
}
