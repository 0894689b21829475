// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of Strata never build the command, and never need the libraries of all backends.
let package = Package(
  name: "CLI",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "strata", targets: ["StrataCommand"])],
  dependencies: [
    .package(name: "Strata", path: ".."), .package(name: "Benchmarks", path: "../Benchmarks"),
  ],
  targets: [
    .target(name: "CommandTable"),
    .executableTarget(
      name: "StrataCommand",
      dependencies: [
        "CommandTable",
        .product(name: "StrataCore", package: "Strata"), .product(name: "StrataDisk", package: "Strata"),
        .product(name: "StrataZlib", package: "Strata"), .product(name: "StrataZstd", package: "Strata"),
        .product(name: "StrataLZ4", package: "Strata"), .product(name: "StrataCBOR", package: "Strata"),
        .product(name: "StrataSodium", package: "Strata"), .product(name: "StrataSQLite", package: "Strata"),
        .product(name: "StrataLMDB", package: "Strata"), .product(name: "StrataRocksDB", package: "Strata"),
        .product(name: "StrataRedis", package: "Strata"), .product(name: "StrataPostgres", package: "Strata"),
        .product(name: "StrataS3", package: "Strata"), .product(name: "StrataKeychain", package: "Strata"),
        .product(name: "StrataLoading", package: "Strata"),
        .product(name: "CacheSimulation", package: "Benchmarks"),
      ]),
    .testTarget(name: "CommandTableTests", dependencies: ["CommandTable"]),
    .testTarget(
      name: "StrataCommandTests",
      dependencies: [
        "StrataCommand", "CommandTable",
        .product(name: "Strata", package: "Strata"),
        .product(name: "StrataCore", package: "Strata"),
        .product(name: "StrataDisk", package: "Strata"),
        .product(name: "StrataZlib", package: "Strata"),
        .product(name: "StrataZstd", package: "Strata"),
        .product(name: "StrataLZ4", package: "Strata"),
        .product(name: "StrataCBOR", package: "Strata"),
        .product(name: "StrataSodium", package: "Strata"),
        .product(name: "StrataLoading", package: "Strata"),
      ],
      exclude: ["Golden"]),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ]
}
