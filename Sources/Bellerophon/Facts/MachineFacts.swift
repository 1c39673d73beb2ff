import Foundation

/// What a program finds out about the machine and the place that it runs in, for the rules of a status.
///
/// A pure function of its inputs. Nothing is asked over a network, and nothing is sent anywhere.
package struct MachineFacts: Equatable, Sendable {
    /// What the facts are found in.
    package struct Inputs: Equatable, Sendable {
        package var environment: [String: String] = [:]
        /// The name of the system as uname(2) has it: `Linux`, `Darwin`.
        package var system = ""
        /// The release of the kernel as uname(2) has it: `6.1.0-18-amd64`.
        package var release = ""
        /// The kind of processor as uname(2) has it: `x86_64`, `aarch64`.
        package var machine = ""
        /// The version of macOS, such as `14.5`; empty on other systems.
        package var productVersion = ""
        /// How the running executable was installed, as ``InstallSource`` finds it; nil if that was not looked for.
        package var source: String?

        package init() {}
    }

    /// `linux` or `macos`; the lower-cased name of another system.
    package let os: String
    /// The numbers at the beginning of the kernel's release on Linux, the product version on macOS; nil if it is not known.
    package let osVersion: String?
    /// The kind of processor, spelled in the same way on both systems: `x86_64`, `arm64`, `x86`, `arm`; another name as uname(2) has it.
    package let arch: String
    /// Whether this looks like a run of a build service.
    package let isCI: Bool
    /// The terminal's program, in lower case; `unknown` without a terminal that is known.
    package let terminal: String
    /// How the running executable was installed: `unknown` if that was not found, nil if it was not looked for.
    package let source: String?

    /// A fact that was not found.
    package static let unknown = "unknown"

    package init(_ inputs: Inputs) {
        switch inputs.system {
        case "Linux": (os, osVersion) = ("linux", Self.numbers(at: inputs.release))
        case "Darwin": (os, osVersion) = ("macos", Self.numbers(at: inputs.productVersion))
        default: (os, osVersion) = (Self.name(inputs.system) ?? Self.unknown, Self.numbers(at: inputs.release))
        }
        arch = Self.arch(inputs.machine)
        isCI = BuildService.isPresent(in: inputs.environment)
        terminal = TerminalName.of(inputs.environment) ?? Self.unknown
        source = inputs.source
    }

    /// The facts of this process without its ``source``. They are read once, and no file is read for them.
    package static let current = MachineFacts(.ofThisProcess)

    /// The facts of this process. They are read once, and for the ``source`` that may mean the lists of all packages of the machine.
    package static let complete = {
        var inputs = Inputs.ofThisProcess
        inputs.source = Inputs.sourceOfThisProcess
        return MachineFacts(inputs)
    }()

    /// The facts by the names that rules use.
    package var values: [String: String] {
        let found = ["os": os, "arch": arch, "ci": isCI ? "true" : "false", "terminal": terminal]
        return found.merging(source.map { ["source": $0] } ?? [:]) { fact, _ in fact }
    }

    /// One to four numbers with dots between them at the beginning of a text: `6.1.0` in `6.1.0-18-amd64`.
    private static func numbers(at text: String) -> String? {
        guard let numbers = text.prefixMatch(of: /[0-9]{1,9}(?:\.[0-9]{1,9}){0,3}/)?.output else { return nil }
        return String(numbers)
    }

    private static func arch(_ machine: String) -> String {
        switch machine {
        case "aarch64", "arm64", "arm64e", "aarch64_be": "arm64"
        case "amd64", "x86_64", "x86_64h": "x86_64"
        case "i386", "i486", "i586", "i686": "x86"
        case _ where machine.hasPrefix("armv"): "arm"
        default: name(machine) ?? unknown
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

extension MachineFacts.Inputs {
    /// What this process finds.
    package static var ofThisProcess: Self {
        var inputs = Self()
        var facts = utsname()
        if uname(&facts) == 0 {
            inputs.system = text(&facts.sysname)
            inputs.release = text(&facts.release)
            inputs.machine = text(&facts.machine)
        }
        inputs.environment = ProcessInfo.processInfo.environment
        inputs.productVersion = productVersionOfThisSystem
        return inputs
    }

    fileprivate static var sourceOfThisProcess: String {
        guard let path = executableOfThisProcess else { return MachineFacts.unknown }
        return InstallSource.find(path: path, environment: ProcessInfo.processInfo.environment).source
    }

    /// The text in an array of characters of C.
    private static func text<Characters>(_ characters: inout Characters) -> String {
        withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
