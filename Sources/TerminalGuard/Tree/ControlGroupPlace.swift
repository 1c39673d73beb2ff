/// Where the control group (version 2) of this process is, from two files of Linux. A value without system calls.
enum ControlGroupPlace {
    /// The folder of the control group of this process; nil if version 2 is not mounted, or its mount does not show the group.
    /// - Parameters:
    ///   - cgroup: the text of `/proc/self/cgroup`. The line of version 2 is `0::PATH`.
    ///   - mounts: the text of `/proc/self/mountinfo`. Version 2 may be mounted beside version 1 (hybrid), and a mount may show
    ///     only a part of the hierarchy.
    static func folder(cgroup: String, mounts: String) -> String? {
        guard let line = cgroup.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let path = String(line.dropFirst("0::".count))
        // A group outside the namespace of control groups has a path with "..", and an old one that was removed this end.
        guard !path.split(separator: "/").contains(".."), !path.hasSuffix(" (deleted)") else { return nil }
        for mount in mounts.split(separator: "\n") {
            guard let (root, point) = version2(mount), let rest = relative(path, to: root) else { continue }
            return rest.isEmpty ? point : point + "/" + rest
        }
        return nil
    }

    /// The part of the hierarchy that a mount shows, and where; nil for a mount of something else.
    private static func version2(_ mount: Substring) -> (root: String, point: String)? {
        // "ID PARENT DEVICE ROOT POINT OPTIONS OPTIONAL… - TYPE SOURCE OPTIONS"
        let fields = mount.split(separator: " ")
        guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
        guard fields[dash + 1] == "cgroup2" else { return nil }
        return (unescaped(fields[3]), unescaped(fields[4]))
    }

    /// The path below a root, without a leading slash; nil if it is not below it.
    private static func relative(_ path: String, to root: String) -> String? {
        let parts = path.split(separator: "/"), above = root.split(separator: "/")
        guard parts.starts(with: above) else { return nil }
        return parts.dropFirst(above.count).joined(separator: "/")
    }

    /// Decodes `\040` and the like. Linux escapes only spaces, tabs, new lines and backslashes.
    private static func unescaped(_ text: Substring) -> String {
        String(text.replacing(/\\([0-7]{3})/) { UInt8($0.1, radix: 8).map { String(UnicodeScalar($0)) } ?? String($0.0) })
    }
}
