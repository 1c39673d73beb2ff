// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target: Swift 6 language mode, and imports and existentials spelled out.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Also of the modules whose loops take most of the time of the tests: `make test` optimises them, and nothing else.
let strictAndFast: [SwiftSetting] =
    strict + (Context.environment["BELLEROPHON_TESTING"] == nil ? [] : [.unsafeFlags(["-Xfrontend", "-O"])])

/// A product that only the server needs: a package that depends on the libraries says `traits: []`, and does not resolve it.
func server(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

let package = Package(
    name: "bellerophon",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Bellerophon", targets: ["Bellerophon"]),
        .library(name: "BellerophonTrust", targets: ["BellerophonTrust"]),
        .library(name: "BellerophonCurses", targets: ["BellerophonCurses"]),
        .library(name: "Barricade", targets: ["Barricade"]),
        .library(name: "CloudBox", targets: ["CloudBox"]),
        .library(name: "TerminalUI", targets: ["TerminalUI"]),
        .library(name: "CNcurses", targets: ["CNcurses"]),
        // `ProgramGuard`. The fuzzer in Tests/Fuzz, a separate package, tests the internals of all three.
        .library(name: "TerminalGuard", targets: ["TerminalGuard", "TerminalIO", "TerminalShadow"]),
        .executable(name: "bellerophon", targets: ["BellerophonCommand"]),
        .executable(name: "bellerophon-server", targets: ["BellerophonServerCommand"]),
    ],
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(name: "Server", description: "Resolves what only bellerophon-server needs."),
        .trait(
            name: "Postgres", description: "Lets several servers share a store in PostgreSQL; needs libpq.",
            enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // For the server only: not resolved without the trait `Server`.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    ],
    targets: [
        // The only module that calls ncurses and its panel library.
        .target(
            name: "CNcurses", dependencies: ["CPty"],
            linkerSettings: [
                .linkedLibrary("ncursesw", .when(platforms: [.linux])),
                .linkedLibrary("panelw", .when(platforms: [.linux])),
                .linkedLibrary("tinfo", .when(platforms: [.linux])),
                .linkedLibrary("ncurses", .when(platforms: [.macOS])),
                .linkedLibrary("panel", .when(platforms: [.macOS])),
            ]
        ),
        // The only module that calls libcurl; empty on Apple's systems.
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux]))]),
        // Pseudo-terminals: code that must be C because it runs between fork and exec, or in a signal handler.
        .target(name: "CPty"),
        // The only module that calls epoll and kqueue.
        .target(name: "CPoll"),
        // The only module that calls libcrypto (CommonCrypto on Apple's systems).
        .target(name: "CCrypto", linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),

        // The only module that calls libpq; empty without the trait.
        .target(
            name: "CPostgres", cSettings: [.define("POSTGRES", .when(traits: ["Postgres"]))],
            linkerSettings: [.linkedLibrary("pq", .when(traits: ["Postgres"]))]),

        // Modules that all others use.
        // Sanitizes, measures and wraps text from outside.
        .target(name: "SafeText", swiftSettings: strictAndFast),
        // JSON, files, locks and semaphores.
        .target(name: "BellerophonBase", dependencies: ["SafeText"], swiftSettings: strictAndFast),
        // Digests and Ed25519 from the system's own library.
        .target(name: "Digests", dependencies: ["CCrypto"], swiftSettings: strict),
        // The HTTP engine, over URLSession.
        .target(name: "HTTPTransport", dependencies: ["BellerophonBase", "CCrypto", "CCurl"], swiftSettings: strict),
        // The status document, for clients and servers.
        .target(name: "StatusModel", dependencies: ["BellerophonBase", "Digests", "SafeText"], swiftSettings: strictAndFast),
        // Frames, keys and widgets; no C and no network.
        .target(name: "TerminalUI", dependencies: ["SafeText"], swiftSettings: strictAndFast),

        // Child processes: programs that are started with exec, shell commands, the browser.
        .target(name: "Processes", dependencies: ["CPty"], swiftSettings: strict),
        // A terminal of this process: descriptors, modes and sizes, and its input as keys.
        .target(name: "TerminalIO", dependencies: ["BellerophonBase", "CPty", "TerminalUI"], swiftSettings: strict),
        // A program's screen as a value: what a cover hides and brings back.
        .target(name: "TerminalShadow", dependencies: ["SafeText", "TerminalUI"], swiftSettings: strictAndFast),

        // The kill switch.
        .target(
            name: "Bellerophon",
            dependencies: ["BellerophonBase", "HTTPTransport", "SafeText", "StatusModel", "TerminalUI"],
            swiftSettings: strict
        ),
        // Signed documents.
        .target(
            name: "BellerophonTrust", dependencies: ["BellerophonBase", "Digests", "SafeText", "StatusModel"],
            swiftSettings: strict
        ),
        // How a program is updated from where it was installed, and started again.
        .target(
            name: "ProgramUpdates",
            dependencies: ["Bellerophon", "BellerophonBase", "CPty", "Processes", "SafeText", "StatusModel"],
            swiftSettings: strict),
        // The kill view and the update view, for any screen.
        .target(
            name: "BellerophonViews", dependencies: ["Bellerophon", "BellerophonBase", "StatusModel", "TerminalUI"],
            swiftSettings: strict),
        .target(
            name: "BellerophonCurses",
            dependencies: [
                "CNcurses", "CPty", "Bellerophon", "BellerophonBase", "BellerophonViews", "Processes", "ProgramUpdates",
                "TerminalIO", "TerminalShadow", "TerminalUI",
            ],
            swiftSettings: strict
        ),
        // Programs of one machine that talk to each other: sockets of one user, a line per request and reply.
        .target(name: "LocalControl", dependencies: ["Bellerophon", "BellerophonBase"], swiftSettings: strict),
        .target(name: "Barricade", dependencies: ["BellerophonBase"], swiftSettings: strict),
        .target(
            name: "CloudBox", dependencies: ["BellerophonBase", "Digests", "HTTPTransport", "SafeText", "StatusModel"],
            swiftSettings: strict
        ),
        // The scenario files that ship with the package, embedded in the code, so that a moved binary still has them.
        .target(
            name: "ReadyScenarios",
            dependencies: ["Barricade"],
            exclude: ["scenarios.schema.json"],
            resources: [
                .embedInCode("status.json"),
                .embedInCode("planned-maintenance.json"),
                .embedInCode("security-stop.json"),
                .embedInCode("forced-migration.json"),
                .embedInCode("flapping-backend.json"),
                .embedInCode("tour.json"),
                .embedInCode("rules.json"),
                .embedInCode("deadline.json"),
            ],
            swiftSettings: strict
        ),
        // The dashboard's own content, embedded in the code.
        .target(
            name: "ReadyContent",
            resources: [
                .embedInCode("dashboard.json"),
                .embedInCode("help.txt"),
                .embedInCode("simulated-dashboard.json"),
                .embedInCode("simulated-help.txt"),
                .embedInCode("simulated-scenarios.json"),
            ],
            swiftSettings: strict
        ),
        // What the programs share: settings, the session's journal, a command at each change, lines in place of a screen.
        .target(
            name: "ProgramKit",
            dependencies: [
                "Bellerophon", "BellerophonBase", "BellerophonTrust", "LocalControl", "Processes", "TerminalIO", "TerminalUI",
            ],
            swiftSettings: strict
        ),
        // Simulated servers: scenario files and timelines, their control socket, recording and verification.
        .target(
            name: "ScenarioKit",
            dependencies: [
                "Barricade", "Bellerophon", "BellerophonBase", "CloudBox", "HTTPTransport", "LocalControl", "ProgramKit",
                "ReadyContent", "ReadyScenarios", "TerminalUI",
            ],
            swiftSettings: strict
        ),
        // The screen of `run` and `demo`.
        .target(
            name: "Dashboard",
            dependencies: [
                "Barricade", "Bellerophon", "BellerophonBase", "BellerophonCurses", "CloudBox", "LocalControl", "Processes",
                "ProgramKit", "ProgramUpdates", "ReadyScenarios", "ScenarioKit", "TerminalUI",
            ],
            swiftSettings: strict
        ),
        // The guard: covers any terminal program while a status says so. `ProgramGuard` is what an app uses on itself.
        .target(
            name: "TerminalGuard",
            dependencies: [
                "CNcurses", "CPty", "SafeText", "Processes", "TerminalIO", "TerminalShadow", "TerminalUI", "Bellerophon",
                "BellerophonBase", "BellerophonViews", "LocalControl", "ProgramUpdates",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "BellerophonCommand",
            dependencies: [
                "Barricade", "Bellerophon", "BellerophonBase", "BellerophonCurses", "BellerophonTrust", "BellerophonViews",
                "CloudBox",
                "Dashboard", "Processes", "ProgramKit", "ProgramUpdates", "ReadyScenarios", "ScenarioKit", "TerminalGuard",
                "TerminalUI",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),

        // The server.
        .target(
            name: "BellerophonStore",
            dependencies: [
                "BellerophonBase", "CPostgres", "Digests", "SafeText", "StatusModel",
                server("GRDB", "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BellerophonServer",
            dependencies: [
                "Bellerophon", "BellerophonBase", "BellerophonStore", "BellerophonTrust", "BellerophonViews", "CPoll", "Digests",
                "HTTPTransport", "Processes",
                "SafeText", "StatusModel",
                server("NIOCore", "swift-nio"),
                server("NIOPosix", "swift-nio"),
                server("NIOHTTP1", "swift-nio"),
                server("NIOTLS", "swift-nio"),
                server("NIOSSL", "swift-nio-ssl"),
                server("Logging", "swift-log"),
            ],
            resources: [
                .embedInCode("Console/console.html"),
                .embedInCode("Console/basics.js"),
                .embedInCode("Console/requests.js"),
                .embedInCode("Console/reading.js"),
                .embedInCode("Console/apps.js"),
                .embedInCode("Console/journal.js"),
                .embedInCode("Console/dialogs.js"),
                .embedInCode("Console/planning.js"),
                .embedInCode("Console/translations.js"),
                .embedInCode("Console/publishing.js"),
                .embedInCode("Console/proposals.js"),
                .embedInCode("Console/session.js"),
                .embedInCode("Console/tokens.css"),
                .embedInCode("Console/base.css"),
                .embedInCode("Console/parts.css"),
                .embedInCode("Console/dialogs.css"),
                .embedInCode("Console/icon.svg"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "BellerophonServerCommand",
            dependencies: [
                "BellerophonBase", "BellerophonServer", "BellerophonStore", "BellerophonTrust", "Digests", "HTTPTransport",
                "SafeText",
                "StatusModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                server("Logging", "swift-log"),
            ],
            swiftSettings: strict
        ),

        // An example: a small program with a kill switch.
        .executableTarget(
            name: "Notes",
            dependencies: ["CNcurses", "TerminalUI", "Bellerophon", "BellerophonCurses"],
            path: "Examples/Notes",
            swiftSettings: strict
        ),
        // The program of the README's quick start, and one with an async main.
        .executableTarget(
            name: "QuickStart", dependencies: ["BellerophonCurses", "CNcurses", "TerminalUI"], path: "Examples/QuickStart",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "AsyncClock", dependencies: ["Bellerophon", "BellerophonCurses", "CNcurses", "StatusModel", "TerminalUI"],
            path: "Examples/AsyncClock", swiftSettings: strict
        ),
        // The program of the guide to views of one's own.
        .executableTarget(
            name: "OwnView", dependencies: ["BellerophonCurses", "CNcurses"], path: "Examples/OwnView", swiftSettings: strict
        ),
        // Programs that start themselves under a guard: one on ncurses with a loop of its own, and one without ncurses.
        .executableTarget(
            name: "SelectLoop", dependencies: ["CNcurses", "TerminalGuard"], path: "Examples/SelectLoop", swiftSettings: strict),
        .executableTarget(
            name: "PlainEscapes", dependencies: ["TerminalGuard"], path: "Examples/PlainEscapes", swiftSettings: strict),
        // Tools without a screen: a synchronous one in a pipe, and an asynchronous one.
        .executableTarget(name: "LineTool", dependencies: ["Bellerophon"], path: "Examples/LineTool", swiftSettings: strict),
        .executableTarget(
            name: "AsyncLineTool", dependencies: ["Bellerophon"], path: "Examples/AsyncLineTool", swiftSettings: strict),
        // A program that starts an editor, and one that runs a program in another language.
        .executableTarget(
            name: "AskEditor", dependencies: ["TerminalGuard"], path: "Examples/AskEditor", swiftSettings: strict),
        .executableTarget(
            name: "Launcher", dependencies: ["TerminalGuard"], path: "Examples/Launcher", exclude: ["pad.py"],
            swiftSettings: strict),

        .target(
            name: "TestSupport",
            dependencies: ["TerminalUI", "Bellerophon", "BellerophonBase", "BellerophonViews"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(name: "BellerophonBaseTests", dependencies: ["BellerophonBase", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "DigestsTests", dependencies: ["Digests", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "SafeTextTests", dependencies: ["SafeText", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "HTTPTransportTests", dependencies: ["HTTPTransport", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "TerminalUITests", dependencies: ["TerminalUI", "TestSupport"], swiftSettings: strict),
        // libvterm, another terminal emulator, checks what the guard restores. It is loaded while the tests run.
        .target(name: "CVterm", path: "Tests/CVterm"),
        .testTarget(
            name: "TerminalShadowTests", dependencies: ["CVterm", "SafeText", "TerminalShadow", "TerminalUI", "TestSupport"],
            exclude: ["Recordings"], swiftSettings: strict
        ),
        .testTarget(
            name: "ProgramUpdatesTests",
            dependencies: [
                "Bellerophon", "BellerophonBase", "BellerophonViews", "Processes", "ProgramUpdates", "TerminalUI", "TestSupport",
            ], exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(name: "ProcessesTests", dependencies: ["Processes", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "TerminalIOTests", dependencies: ["BellerophonBase", "CPty", "TerminalIO", "TerminalUI", "TestSupport"],
            swiftSettings: strict),
        // Trees of processes that the tests of the guard pause and kill.
        .executableTarget(name: "TreeProbe", dependencies: ["CPty"], path: "Tests/TreeProbe"),
        // A program that starts itself under a guard and then runs a shell script.
        .executableTarget(
            name: "GuardProbe", dependencies: ["TerminalGuard"], path: "Tests/GuardProbe", swiftSettings: strict),
        .testTarget(
            name: "TerminalGuardTests",
            dependencies: [
                "Bellerophon", "BellerophonBase", "BellerophonViews", "CPty", "LocalControl", "Processes", "TerminalGuard",
                "TerminalIO", "TerminalShadow", "TerminalUI", "TestSupport", "TreeProbe",
            ], swiftSettings: strict
        ),
        .testTarget(
            name: "BellerophonViewsTests",
            dependencies: ["Bellerophon", "BellerophonViews", "CVterm", "OwnView", "TerminalUI", "TestSupport"],
            exclude: ["Goldens"], swiftSettings: strict
        ),
        .testTarget(
            name: "BellerophonTests",
            dependencies: ["Bellerophon", "BellerophonBase", "TerminalUI", "TestSupport"],
            // Compiles a program that was written for the original library, which does not use `any`.
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility")]
        ),
        .testTarget(
            name: "BellerophonTrustTests",
            dependencies: ["BellerophonTrust", "Bellerophon", "Digests", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BellerophonCursesTests",
            dependencies: [
                "CNcurses", "CPty", "BellerophonCurses", "Bellerophon", "TerminalIO", "TerminalShadow", "TerminalUI",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BarricadeTests", dependencies: ["Barricade", "ReadyScenarios", "Bellerophon", "TestSupport"],
            swiftSettings: strict),
        // A program that the tests of CloudBox start and kill.
        .executableTarget(
            name: "CloudBoxProbe", dependencies: ["CloudBox"], path: "Tests/CloudBoxProbe", swiftSettings: strict
        ),
        .testTarget(
            name: "CloudBoxTests",
            dependencies: [
                "CloudBox", "Bellerophon", "BellerophonBase", "BellerophonTrust", "Barricade", "TestSupport", "CloudBoxProbe",
            ],
            swiftSettings: strict
        ),
        // Publishes until it is killed, for the test of durability.
        .executableTarget(name: "StoreLoad", dependencies: ["BellerophonStore"], path: "Tests/StoreLoad", swiftSettings: strict),
        .testTarget(
            name: "BellerophonStoreTests",
            dependencies: [
                "BellerophonBase", "BellerophonStore", "StoreLoad", "Bellerophon", "CloudBox", "TestSupport",
                server("GRDB", "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BellerophonServerTests",
            dependencies: [
                "Bellerophon", "BellerophonBase", "BellerophonServer", "BellerophonServerCommand", "BellerophonStore",
                "BellerophonTrust", "Digests", "StatusModel",
                "TestSupport",
                server("NIOCore", "swift-nio"),
                server("NIOHTTP1", "swift-nio"),
                server("NIOTLS", "swift-nio"),
                server("NIOEmbedded", "swift-nio"),
                server("Logging", "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BellerophonServerCommandTests",
            dependencies: [
                "Bellerophon", "BellerophonBase", "BellerophonServer", "BellerophonServerCommand", "BellerophonStore",
                "StatusModel",
                "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ProgramKitTests",
            dependencies: [
                "Bellerophon", "BellerophonBase", "BellerophonTrust", "ProgramKit", "TerminalUI", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ScenarioKitTests",
            dependencies: [
                "Barricade", "Bellerophon", "BellerophonBase", "LocalControl", "ProgramKit", "ScenarioKit", "TerminalUI",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DashboardTests",
            dependencies: [
                "Barricade", "Bellerophon", "BellerophonBase", "BellerophonViews", "CloudBox", "Dashboard", "ProgramKit",
                "ScenarioKit", "TerminalShadow", "TerminalUI", "TestSupport",
            ],
            exclude: ["Goldens"],
            swiftSettings: strict
        ),
        // A program that the fault tests start, deprive of resources and kill.
        .executableTarget(
            name: "FaultProbe", dependencies: ["Bellerophon", "BellerophonCurses", "CNcurses"], path: "Tests/FaultProbe",
            swiftSettings: strict),
        // Requests truncated and mutated replies in a separate process, because a reply may crash it.
        .executableTarget(
            name: "ReplyProbe", dependencies: ["Bellerophon", "CloudBox", "TestSupport"], path: "Tests/ReplyProbe",
            swiftSettings: strict
        ),
        // Every fault of network, process and machine, with the state that must result.
        .testTarget(
            name: "FaultTests",
            dependencies: [
                "Bellerophon", "BellerophonCurses", "BellerophonCommand", "Dashboard", "FaultProbe", "ReplyProbe", "TerminalUI",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SessionTests",
            dependencies: [
                "AskEditor", "AsyncClock", "AsyncLineTool", "Bellerophon", "BellerophonBase", "BellerophonCommand",
                "BellerophonServerCommand", "CloudBox", "GuardProbe", "Launcher", "LineTool", "Notes", "OwnView", "PlainEscapes",
                "QuickStart", "SelectLoop", "TerminalUI", "TestSupport", "TreeProbe",
            ],
            swiftSettings: strict
        ),
        // Months on a manual clock, in a separate process, so that it measures only its own memory and descriptors.
        .executableTarget(
            name: "Soak", dependencies: ["Bellerophon", "BellerophonBase", "Dashboard", "TerminalUI", "TestSupport"],
            path: "Tests/Soak",
            swiftSettings: strict
        ),
        .testTarget(
            name: "SoakTests", dependencies: ["Soak", "Bellerophon", "BellerophonBase", "BellerophonCommand", "TestSupport"],
            swiftSettings: strict),
        // What the fuzzer checks, without libFuzzer; the fuzzer itself is a package of its own.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "TerminalGuard", "TerminalIO", "TerminalShadow", "TerminalUI", "Bellerophon", "BellerophonCurses",
                "BellerophonTrust",
                "CNcurses",
                "Barricade", "CloudBox", "StatusModel", "TestSupport",
            ],
            path: "Tests/Fuzz/Sources",
            exclude: ["Program"],
            sources: ["Surfaces", "Tests"],
            swiftSettings: strict
        ),
        // Compiles the code of the documents, and looks for the declarations that they link to.
        .testTarget(name: "RepositoryTests", dependencies: ["BellerophonBase", "TestSupport"], swiftSettings: strict),
        // The files of deploy/, with real nginx in front of the real server.
        .testTarget(
            name: "DeployTests",
            dependencies: [
                "BellerophonBase", "BellerophonStore", "BellerophonServerCommand", "Bellerophon", "BellerophonTrust",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
    ]
)

// A module's README is for its readers.
for target in package.targets
where [
    "Barricade", "Bellerophon", "BellerophonCommand", "BellerophonCurses", "BellerophonServer", "BellerophonServerCommand",
    "BellerophonStore", "BellerophonViews", "CloudBox", "Dashboard", "FaultTests", "HTTPTransport", "ProgramKit",
    "ProgramUpdates",
    "ScenarioKit",
    "StatusModel",
    "TerminalGuard", "TerminalShadow", "TerminalUI",
].contains(target.name) {
    target.exclude.append("README.md")
}
