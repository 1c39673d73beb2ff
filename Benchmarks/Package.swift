// swift-tools-version: 6.1
import PackageDescription

/// Programs that only the benchmark needs; a build of the package above does not see them.
let package = Package(
    name: "bellerophon-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "bellerophon", path: "..")],
    targets: [
        .executableTarget(
            name: "sync-resource",
            dependencies: [.product(name: "CloudBox", package: "bellerophon")],
            path: "Sources/SyncResource",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
    ]
)
