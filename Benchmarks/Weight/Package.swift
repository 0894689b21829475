// swift-tools-version: 6.2
import PackageDescription

/// The programs that `weigh` builds: the same few lines without Strata, and with one of its products.
let package = Package(
  name: "Weight",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "strata", path: "../..")],
  targets: [
    .executableTarget(name: "Nothing"),
    .executableTarget(name: "Memory", dependencies: [.product(name: "StrataMemory", package: "strata")]),
    .executableTarget(name: "Disk", dependencies: [.product(name: "StrataDisk", package: "strata")]),
    .executableTarget(name: "SQLite", dependencies: [.product(name: "StrataSQLite", package: "strata")]),
    .executableTarget(name: "Redis", dependencies: [.product(name: "StrataRedis", package: "strata")]),
    .executableTarget(name: "Chain", dependencies: [.product(name: "Strata", package: "strata")]),
  ])
