#if Server
import Foundation

/// Who changed a store, as far as the program that changed it can tell.
package struct Author: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// A command on the store's own machine. ``Author/uid`` is certain, the other fields of a person are what the system says.
        case local
        /// A request to a server, with a token. ``Author/name`` is the token's.
        case token
        /// A server by itself, such as at the end of a timed kill.
        case server
    }

    package let kind: Kind
    /// How the journal's readers see the author, on one line.
    package let name: String
    /// The process's real user.
    package let uid: UInt32?
    /// The name of ``uid``.
    package let user: String?
    /// The user who logged in, which `sudo` and `su` do not change.
    package let loginUser: String?
    /// What the variable `SUDO_USER` said. Anybody can set it.
    package let sudoUser: String?
    /// The client's address.
    package let address: String?

    private init(
        _ kind: Kind, name: String, uid: UInt32? = nil, user: String? = nil, loginUser: String? = nil,
        sudoUser: String? = nil, address: String? = nil
    ) {
        self.kind = kind
        self.name = name
        self.uid = uid
        self.user = user
        self.loginUser = loginUser
        self.sudoUser = sudoUser
        self.address = address
    }

    /// Of what is only shown, and never published.
    static let nobody = Author(.server, name: "")

    /// The server by itself.
    static let server = Author(.server, name: "bellerophon-server")

    /// A request to a server.
    /// - Parameters:
    ///   - token: the name of the token that came with it.
    ///   - address: the client's, where that is known.
    package static func token(_ token: String, address: String? = nil) -> Author {
        Author(.token, name: StoreText.who(token), address: address)
    }

    /// The person at this command line. `USER` and `LOGNAME` are not believed: anybody can set them.
    package static func thisProcess(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Author {
        let uid = getuid()
        let sudo = environment["SUDO_USER"].flatMap { StoreText.note(String($0.prefix(64))) }
        return local(uid: uid, user: UserName.of(uid), loginUser: UserName.ofLogin(), sudoUser: sudo, host: hostName)
    }

    /// A person who is known by the system's accounts.
    static func local(uid: UInt32, user: String?, loginUser: String?, sudoUser: String?, host: String) -> Author {
        let user = user ?? "#\(uid)"
        let other =
            if let loginUser, loginUser != user {
                " (login \(loginUser))"
            } else if let sudoUser, sudoUser != user {
                " (SUDO_USER \(sudoUser))"
            } else {
                ""
            }
        return Author(
            .local, name: StoreText.who("\(user)@\(host)\(other)"), uid: uid, user: user, loginUser: loginUser, sudoUser: sudoUser
        )
    }

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "localhost" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Author: ExpressibleByStringLiteral {
    /// A local program by its name, without an account.
    package init(stringLiteral name: String) {
        self.init(.local, name: StoreText.who(name))
    }
}

/// The names of the system's accounts.
enum UserName {
    /// Nil for a number without a name on this machine.
    static func of(_ user: uid_t) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name else {
            return nil
        }
        return String(cString: name)
    }

    /// The user whose session this process belongs to; nil where it belongs to none, or where the system does not tell.
    static func ofLogin() -> String? {
        // The kernel keeps it from the login on (audit): no program of the session can change it.
        if let text = try? String(contentsOfFile: "/proc/self/loginuid", encoding: .utf8),
            let user = uid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)), user != uid_t.max
        {
            return of(user)
        }
        var buffer = [CChar](repeating: 0, count: 256)
        guard getlogin_r(&buffer, buffer.count) == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
#endif
