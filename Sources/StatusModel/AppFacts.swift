/// What a verdict may depend on beside the document and the time: the facts of one installation of an app.
///
/// A fact that is not known matches no condition of a rule. It is never sent anywhere.
public struct AppFacts: Equatable, Sendable {
    /// The installed version; nil if it is not known.
    public var version: String?
    /// The version of the operating system that the fact `os` names; nil if it is not known.
    public var osVersion: String?
    /// A random text that is the same for every run of one installation, 1 to 128 bytes. It decides whether the app belongs to the
    /// share of a rule. Without one, only a share of 100 % contains the app.
    public var installID: String?
    /// The other facts by name: `os`, `arch`, `ci`, `terminal`, `source`, and what the app says of itself.
    public var values: [String: String]

    /// The facts that every client finds out about itself, and that have the value `unknown` at worst.
    package static let namesOfEveryClient = ["os", "arch", "ci", "terminal", "source"]

    /// Creates the facts of an app. Without arguments nothing is known of it.
    public init(
        version: String? = nil, osVersion: String? = nil, installID: String? = nil, values: [String: String] = [:]
    ) {
        self.version = version
        self.osVersion = osVersion
        self.installID = installID
        self.values = values
    }
}
