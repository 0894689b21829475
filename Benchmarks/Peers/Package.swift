// swift-tools-version: 6.2
import PackageDescription

/// Programs that use libraries of others as they use Strata. They are fetched from the network, so nothing else builds
/// this package.
let package = Package(
  name: "Peers",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Strata", path: "../.."),
    .package(name: "Benchmarks", path: ".."),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.8.0"),
    .package(url: "https://github.com/valkey-io/valkey-swift.git", from: "1.4.0"),
    .package(url: "https://github.com/vapor/postgres-nio.git", from: "1.33.0"),
  ],
  targets: [
    .executableTarget(
      name: "strata-peers",
      dependencies: [
        .product(name: "CacheSimulation", package: "Benchmarks"),
        .product(name: "StrataRedis", package: "Strata"),
        .product(name: "StrataPostgres", package: "Strata"),
        .product(name: "StrataSQLite", package: "Strata"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Valkey", package: "valkey-swift"),
        .product(name: "PostgresNIO", package: "postgres-nio"),
        .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOFoundationCompat", package: "swift-nio"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
      ],
      // GRDB refers to functions for snapshots, which Debian's SQLite lacks. Nothing here calls them.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--unresolved-symbols=ignore-all"], .when(platforms: [.linux]))
      ])
  ]
)
