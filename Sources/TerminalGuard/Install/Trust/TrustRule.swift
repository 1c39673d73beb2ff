import Foundation

/// Who may own the files and folders of a path, and who may change them.
struct TrustRule: Equatable, Sendable {
    /// The only owner; nil accepts every owner.
    let owner: uid_t?
    /// The permissions that must not be set. A sticky folder is no exception: in it, every user can create files.
    let refused: mode_t

    /// For what decides about other users' programs: profiles and the settings they name.
    static func exclusive(_ owner: uid_t) -> TrustRule { TrustRule(owner: owner, refused: 0o022) }

    /// For folders of installed programs. Some systems let a group of administrators write there, such as `staff` in
    /// `/usr/local`.
    static func installed(_ owner: uid_t) -> TrustRule { TrustRule(owner: owner, refused: 0o002) }

    /// For a guarded program, which may belong to the user of an application.
    static let program = TrustRule(owner: nil, refused: 0o002)

    func check(_ facts: stat, _ path: String) throws(TrustError) {
        if let owner, facts.st_uid != owner { throw TrustError(path, .owner(found: facts.st_uid, expected: owner)) }
        guard facts.st_mode & refused == 0 else { throw TrustError(path, .writable(mode: facts.st_mode, refused: refused)) }
    }
}
