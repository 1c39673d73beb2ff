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

    /// Decodes `\040` and the like.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
