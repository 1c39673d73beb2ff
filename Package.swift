// swift-tools-version: 6.1
import PackageDescription

/// The settings of every Swift target: Swift 6 language mode, and imports and existentials spelled out.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "bellerophon",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Bellerophon", targets: ["Bellerophon"]),
        .library(name: "BellerophonCurses", targets: ["BellerophonCurses"]),
        .library(name: "Barricade", targets: ["Barricade"]),
        .library(name: "TerminalUI", targets: ["TerminalUI"]),
        .library(name: "CNcurses", targets: ["CNcurses"]),
        .executable(name: "bellerophon", targets: ["BellerophonCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        // The one door to ncurses and its panel library.
        .target(
            name: "CNcurses",
            linkerSettings: [
                .linkedLibrary("ncursesw", .when(platforms: [.linux])),
                .linkedLibrary("panelw", .when(platforms: [.linux])),
                .linkedLibrary("tinfo", .when(platforms: [.linux])),
                .linkedLibrary("ncurses", .when(platforms: [.macOS])),
                .linkedLibrary("panel", .when(platforms: [.macOS])),
            ]
        ),
        .target(name: "TerminalUI", swiftSettings: strict),
        .target(name: "Bellerophon", dependencies: ["TerminalUI"], swiftSettings: strict),
        .target(
            name: "BellerophonCurses",
            dependencies: ["CNcurses", "TerminalUI", "Bellerophon"],
            swiftSettings: strict
        ),
        .target(name: "Barricade", swiftSettings: strict),
        // The scenario files that ship with the package, inside the code: a moved binary still has them.
        .target(
            name: "ReadyScenarios",
            dependencies: ["Barricade"],
            path: "Scenarios",
            resources: [
                .embedInCode("status.json"),
                .embedInCode("planned-maintenance.json"),
                .embedInCode("security-stop.json"),
                .embedInCode("forced-migration.json"),
                .embedInCode("flapping-backend.json"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Dashboard",
            dependencies: ["TerminalUI", "Bellerophon", "BellerophonCurses", "Barricade", "ReadyScenarios"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "BellerophonCommand",
            dependencies: [
                "Dashboard",
                "TerminalUI", "Bellerophon", "BellerophonCurses", "Barricade",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),

        // A program of its own that became killable: what an app author does.
        .executableTarget(
            name: "Notes",
            dependencies: ["CNcurses", "TerminalUI", "Bellerophon", "BellerophonCurses"],
            path: "Examples/Notes",
            swiftSettings: strict
        ),

        .target(
            name: "TestSupport",
            dependencies: ["TerminalUI", "Bellerophon"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(name: "TerminalUITests", dependencies: ["TerminalUI", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "BellerophonTests",
            dependencies: ["Bellerophon", "TerminalUI", "TestSupport"],
            // A program in the original's spelling is compiled here, and it knew no `any`.
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility")]
        ),
        .testTarget(
            name: "BellerophonCursesTests",
            dependencies: ["CNcurses", "BellerophonCurses", "Bellerophon", "TerminalUI", "TestSupport"],
            exclude: ["Goldens"],
            swiftSettings: strict
        ),
        .testTarget(name: "BarricadeTests", dependencies: ["Barricade", "ReadyScenarios", "Bellerophon", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "DashboardTests",
            dependencies: ["Dashboard", "Barricade", "Bellerophon", "BellerophonCurses", "TerminalUI", "TestSupport"],
            exclude: ["Goldens"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SessionTests",
            dependencies: ["TestSupport", "TerminalUI", "Bellerophon", "BellerophonCommand", "Notes"],
            swiftSettings: strict
        ),
    ]
)
