// swift-tools-version: 6.2
import PackageDescription

/// Programs that only the benchmark needs. A build of the main package does not include them.
let package = Package(
    name: "bellerophon-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "bellerophon", path: "..", traits: [])],
    targets: [
        .target(
            name: "CScreen",
            linkerSettings: [
                .linkedLibrary("ncursesw", .when(platforms: [.linux])), .linkedLibrary("tinfo", .when(platforms: [.linux])),
                .linkedLibrary("ncurses", .when(platforms: [.macOS])),
            ]
        ),
        .executableTarget(
            name: "bare-screen", dependencies: ["CScreen"], path: "Sources/BareScreen", swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .executableTarget(
            name: "own-guard",
            dependencies: [.product(name: "TerminalGuard", package: "bellerophon")],
            path: "Sources/OwnGuard",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        ),
        .executableTarget(
            name: "evaluate-rules",
            dependencies: [.product(name: "Bellerophon", package: "bellerophon")],
            path: "Sources/EvaluateRules",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        ),
        .executableTarget(
            name: "sync-resource",
            dependencies: [.product(name: "CloudBox", package: "bellerophon")],
            path: "Sources/SyncResource",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        ),
    ]
)
