import BellerophonStore

/// The paths of one kind of document that clients read, and the class under which requests for it are counted. The read model
/// finds its documents by these paths, and the endpoints are made from them.
struct ReadPath: Sendable {
    let route: RouteClass
    let patterns: [PathPattern]

    /// The suffix of a signed document's path, and of the folder of signed manifests.
    static let signedSuffix = ".jws"

    static let alive = ReadPath(.alive, "/alive")
    static let status = ReadPath(.status, ofEachScope: "status")
    static let signedStatus = ReadPath(.status, ofEachScope: "status\(signedSuffix)")
    static let events = ReadPath(.events, ofEachScope: "events")
    static let signedEvents = ReadPath(.events, ofEachScope: "events\(signedSuffix)")

    static let manifest = ReadPath(.meta, "\(ReadSettings.metaPath)/:name")
    static let signedManifest = ReadPath(.meta, "\(ReadSettings.metaPath)\(signedSuffix)/:name")
    /// A resource's newest bytes, and those of each version.
    static let data = ReadPath(.data, "\(ReadSettings.dataPath)/:name", "\(ReadSettings.dataPath)/:name/:version")

    private init(_ route: RouteClass, _ patterns: PathPattern...) {
        (self.route, self.patterns) = (route, patterns)
    }

    /// The short paths are of the default app and of an app's main channel.
    private init(_ route: RouteClass, ofEachScope end: String) {
        self.route = route
        patterns = ["", "/v1/apps/:app", "/v1/apps/:app/channels/:channel"].map { "\($0)/\(end)" }
    }

    func match(_ path: String) -> PathParameters? {
        let parts = PathPattern.parts(of: path)
        return patterns.lazy.compactMap { $0.match(parts) }.first
    }

    /// - Returns: nil if the path does not match, or names no possible scope.
    func scope(of path: String) -> Scope? { match(path).flatMap { try? Scope($0) } }
}

extension Scope {
    /// The scope of a path.
    /// - Throws: `StoreError` if a name is not valid.
    init(_ parameters: PathParameters) throws {
        try self.init(app: parameters["app"] ?? Self.defaultApp, channel: parameters["channel"] ?? Self.mainChannel)
    }
}
