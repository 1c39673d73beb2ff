#if canImport(Darwin)
import Foundation

extension MachineFacts {
    static var productVersionOfThisSystem: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }

    /// The path of the running executable without symbolic links.
    package static var executableOfThisProcess: String? { Bundle.main.executableURL?.resolvingSymlinksInPath().path }
}
#endif
