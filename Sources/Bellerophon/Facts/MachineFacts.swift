import Foundation

/// What a program finds out about the machine and the place that it runs in, for the rules of a status.
///
/// A value with what the system says; the facts are a pure function of it. Nothing is asked over a network, and nothing is sent
/// anywhere.
package struct MachineFacts: Equatable, Sendable {
    var environment: [String: String] = [:]
    /// The name of the system as uname(2) has it: `Linux`, `Darwin`.
    var system = ""
    /// The release of the kernel as uname(2) has it: `6.1.0-18-amd64`.
    var release = ""
    /// The kind of processor as uname(2) has it: `x86_64`, `aarch64`.
    var machine = ""
    /// The version of macOS, such as `14.5`; empty on other systems.
    var productVersion = ""
    /// How the running executable was installed, as ``InstallSource`` finds it: `unknown` if that was not found, nil if it was not
    /// looked for.
    var source: String?

    /// A fact that was not found.
    package static let unknown = "unknown"

    /// The facts of this process without its ``source``. They are read once, and no file is read for them.
    package static let current = ofThisProcess

    /// The facts of this process. They are read once, and for the ``source`` that may mean the lists of all packages of the machine.
    package static let complete = {
        var facts = current
        let path = executableOfThisProcess
        facts.source = path.map { InstallSource.find(path: $0, environment: facts.environment).source } ?? unknown
        return facts
    }()

    /// The facts by the names that rules use. `ci` says whether this looks like a run of a build service; `terminal` is the terminal's
    /// program, in lower case.
    var values: [String: String] {
        var values = ["os": os, "arch": arch, "terminal": TerminalName.of(environment) ?? Self.unknown]
        values["ci"] = BuildService.isPresent(in: environment) ? "true" : "false"
        values["source"] = source
        return values
    }

    /// `linux` or `macos`; the lower-cased name of another system.
    var os: String {
        switch system {
        case "Linux": "linux"
        case "Darwin": "macos"
        default: Self.name(system) ?? Self.unknown
        }
    }

    /// One to four numbers with dots between them at the beginning of the product version on macOS, and of the kernel's release on
    /// other systems: `6.1.0` of `6.1.0-18-amd64`; nil if it is not known.
    var osVersion: String? {
        let text = system == "Darwin" ? productVersion : release
        return text.prefixMatch(of: /[0-9]{1,9}(?:\.[0-9]{1,9}){0,3}/).map { String($0.output) }
    }

    /// The kind of processor, spelled in the same way on both systems: `x86_64`, `arm64`, `x86`, `arm`; another name as uname(2) has it.
    var arch: String {
        switch machine {
        case "aarch64", "arm64", "arm64e", "aarch64_be": "arm64"
        case "amd64", "x86_64", "x86_64h": "x86_64"
        case "i386", "i486", "i586", "i686": "x86"
        case _ where machine.hasPrefix("armv"): "arm"
        default: Self.name(machine) ?? Self.unknown
        }
    }

    /// A text as a fact: at most 64 lower-case letters of ASCII, digits, `.`, `_` and `-`, and `-` for everything else; nil if nothing
    /// is left.
    static func name(_ text: String) -> String? {
        let bytes = text.utf8.prefix(64).map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
            default: UInt8(ascii: "-")
            }
        }
        let name = String(decoding: bytes, as: UTF8.self)
        return name.contains { $0 != "-" } ? name : nil
    }
}

extension MachineFacts {
    private static var ofThisProcess: Self {
        var found = Self()
        var facts = utsname()
        if uname(&facts) == 0 {
            found.system = text(&facts.sysname)
            found.release = text(&facts.release)
            found.machine = text(&facts.machine)
        }
        found.environment = ProcessInfo.processInfo.environment
        found.productVersion = productVersionOfThisSystem
        return found
    }

    /// The text in an array of characters of C.
    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
