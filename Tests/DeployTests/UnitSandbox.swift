#if Server && os(Linux)
import Foundation
import TestSupport

/// What a service of a systemd unit sees of `/proc`, and the variables that the unit sets, without systemd.
struct UnitSandbox {
    private let mount: String
    private let variables: [String]

    /// Whether this machine lets tests make process and mount namespaces.
    static let isPossible = (try? UnitSandbox("ProcSubset=pid").works) ?? false

    /// - Parameter unit: the text of the unit.
    init(_ unit: String) throws {
        let lines = unit.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        var options: [String] = []
        if lines.contains("ProcSubset=pid") { options.append("subset=pid") }
        if lines.contains("ProtectProc=invisible") { options.append("hidepid=2") }
        mount = "mount -t proc -o \(options.isEmpty ? "rw" : options.joined(separator: ",")) proc /proc"
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            .filter { $0.isHexDigit }
        variables = lines.filter { $0.hasPrefix("Environment=") }
            .map { $0.dropFirst("Environment=".count).replacingOccurrences(of: "%b", with: boot) }
    }

    /// The command that runs a program in the sandbox. The program ends with it.
    func command(_ program: String, _ arguments: [String]) -> (program: String, arguments: [String]) {
        let user = geteuid() == 0 ? [] : ["--user", "--map-root-user"]
        let script = "\(mount) && exec env \"$@\""
        return (
            "/usr/bin/unshare",
            user + ["--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script, "sh"] + variables + [program]
                + arguments
        )
    }

    private var works: Bool {
        let (program, arguments) = command("/bin/true", [])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
#endif
