// swift-tools-version: 6.2
import PackageDescription

/// The fuzzer: `make fuzz` at the top of the repository. A build of the main package does not include it.
let package = Package(
    name: "bellerophon-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "bellerophon", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "TerminalUI", "TerminalGuard", "Bellerophon", "BellerophonTrust", "BellerophonCurses", "CNcurses", "Barricade",
                "CloudBox",
            ].map {
                .product(name: $0, package: "bellerophon")
            },
            path: "Sources",
            // The surfaces are tested by the package above as well, without libFuzzer.
            exclude: ["Tests"],
            sources: ["Surfaces", "Program"],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
    ]
)
