import BellerophonBase
import Foundation

/// The keys of a profile as they are read, before the rules that involve several keys.
struct GuardProfileDraft {
    /// The name of the response to a required update, in a profile and after `--on-update`.
    enum ResponseName: String, CaseIterable, Sendable {
        case cover, restart, pause, terminate
    }

    /// The name of the response to a kill, in a profile and after `--on-kill`.
    enum KillResponseName: String, CaseIterable, Sendable {
        case cover, pause, terminate

        /// The same response to a required update.
        var onUpdate: ResponseName { ResponseName(rawValue: rawValue) ?? .cover }
    }

    var program: AbsolutePath?
    var wrapper: AbsolutePath?
    /// The object under `config`, with its order of members and its digits, and the file that `configFile` names.
    var sources: [GuardProfile.Source] = []
    var onKill = KillResponseName.cover
    var onUpdate = ResponseName.cover
    var grace: Duration?
    var policy = GuardPolicy()
    var versionTimeout = VersionCommand.usualLimit
    var versionCommand: VersionCommand?

    static let settings: [Setting<GuardProfileDraft>] = [
        .path("program", "/usr/bin/psql", "the guarded program") { $0.program = $1 },
        .path("wrapper", "/usr/local/bin/psql", "the script that `bellerophon guard install` writes") { $0.wrapper = $1 },
        .object(
            "config", expected: "an object with the keys of config.example.json",
            "the settings of the kill switch; instead of configFile"
        ) { members, draft in
            draft.sources.append(.inline(JSONNode(.object(members)).data))
            return []
        },
        .path("configFile", "/etc/bellerophon/config.json", "the file with the settings of the kill switch; instead of config") {
            $0.sources.append(.file($1))
        },
        .choice("onKill", nil, "what happens to the program while a status pauses it (default cover)") { $0.onKill = $1 },
        .choice("onUpdate", nil, "what happens to the program while a status requires an update (default cover)") {
            $0.onUpdate = $1
        },
        .seconds(
            "grace", nil, 0...3600, "seconds between SIGTERM and SIGKILL for the responses terminate and restart (default 10)"
        ) {
            $0.grace = $1
        },
        .choice("orphans", nil, "what becomes of all that the program has started if the guard is killed (default end)") {
            $0.policy.orphans = $1
        },
        .choice(
            "start", nil,
            "what happens if a status blocks the program before it has started (default wait, and exit without a terminal)"
        ) {
            $0.policy.start = $1
        },
        .seconds("startTimeout", nil, 0...600, "seconds that the start may wait for the first status (default 2)") {
            $0.policy.startTimeout = $1
        },
        .seconds("startWait", nil, 0...3600, "seconds that \"start\": \"wait\" waits without a terminal (default 600)") {
            $0.policy.startWait = $1
        },
        .seconds("versionTimeout", nil, 0...600, "seconds that it may take to find out the version of the program (default 5)") {
            $0.versionTimeout = $1
        },
        .number("exitCode", nil, 0...255, "the exit status if a status has refused or ended the program (default 75)") {
            $0.policy.exitCode = UInt8(clamping: $1)
        },
        Setting(
            "versionCommand", nil,
            expected: "an array of texts that begins with an absolute path, such as [\"/usr/bin/psql\", \"--version\"]",
            "the command that prints the version of the program; in place of config.app.version",
            reading: {
                guard let words = $0.strings, words.first.flatMap(AbsolutePath.init) != nil else { return nil }
                return VersionCommand(words)
            }
        ) { (draft: inout Self, command: VersionCommand) in draft.versionCommand = command },
    ]

    /// A problem for each rule that involves several keys, with what to write.
    var problems: [String] {
        var problems: [String] = []
        if program == nil { problems.append("program: missing; write the absolute path of the program to guard") }
        if wrapper == nil { problems.append("wrapper: missing; write the absolute path where the wrapper is to be installed") }
        if let program, program == wrapper {
            problems.append("wrapper: expected another path than program (\(program)), because the wrapper starts the program")
        }
        if sources.isEmpty {
            problems.append("config: missing; write an object with status.url, or configFile with the path of a file")
        }
        if sources.count > 1 { problems.append("config: expected only one of config and configFile, found both") }
        if let wrapper, versionCommand?.arguments.first == wrapper.text {
            problems.append(
                "versionCommand: expected another program than wrapper (\(wrapper)), which would start the guard again")
        }
        if grace != nil, onKill != .terminate, onUpdate != .restart, onUpdate != .terminate {
            problems.append(
                "grace: has no effect unless onKill or onUpdate is \"terminate\", or onUpdate is \"restart\"; remove it or set one of them"
            )
        }
        return problems
    }

    func response(_ name: ResponseName) -> GuardResponse {
        switch name {
        case .cover: .cover
        case .restart: .restart(grace: grace ?? GuardResponse.usualGrace)
        case .pause: .pause
        case .terminate: .terminate(grace: grace ?? GuardResponse.usualGrace)
        }
    }
}

extension Setting<GuardProfileDraft> {
    fileprivate static func path(
        _ path: String, _ example: String, _ help: String, _ set: @escaping Setter<AbsolutePath>
    ) -> Setting {
        let expected = "an absolute path without \".\" and \"..\", such as \"\(example)\""
        return Setting(path, nil, expected: expected, help, reading: { $0.string.flatMap(AbsolutePath.init) }, set)
    }
}
