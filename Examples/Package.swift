// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that the examples use Strata as any program does and link only the libraries they import.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "Strata", path: "..")],
  targets: [
    .executableTarget(name: "Quickstart", dependencies: [.product(name: "Strata", package: "Strata")]),
    .executableTarget(
      name: "MemoryExample", dependencies: [.product(name: "StrataMemory", package: "Strata")]),
    .executableTarget(
      name: "DiskExample", dependencies: [.product(name: "StrataDisk", package: "Strata")]),
    .executableTarget(
      name: "DelegateExample", dependencies: [.product(name: "StrataDelegate", package: "Strata")]),
    .executableTarget(name: "AlgebraExample", dependencies: [.product(name: "Strata", package: "Strata")]),
    .executableTarget(
      name: "CBORExample",
      dependencies: [
        .product(name: "Strata", package: "Strata"), .product(name: "StrataCBOR", package: "Strata"),
      ]),
    .executableTarget(name: "StreamExample", dependencies: [.product(name: "Strata", package: "Strata")]),
    .executableTarget(name: "LoadingExample", dependencies: [.product(name: "Strata", package: "Strata")]),
    .executableTarget(
      name: "MetricsExample",
      dependencies: [
        .product(name: "Strata", package: "Strata"), .product(name: "StrataRedis", package: "Strata"),
      ]),
    .executableTarget(
      name: "ZstdExample",
      dependencies: [
        .product(name: "StrataZstd", package: "Strata"), .product(name: "StrataDisk", package: "Strata"),
      ]),
    .executableTarget(
      name: "LZ4Example",
      dependencies: [
        .product(name: "StrataLZ4", package: "Strata"), .product(name: "StrataDisk", package: "Strata"),
      ]),
    .executableTarget(
      name: "HTTPExample",
      dependencies: [
        .product(name: "StrataHTTP", package: "Strata"), .product(name: "StrataMemory", package: "Strata"),
      ]),
    .executableTarget(
      name: "SQLiteExample", dependencies: [.product(name: "StrataSQLite", package: "Strata")]),
    .executableTarget(
      name: "LMDBExample", dependencies: [.product(name: "StrataLMDB", package: "Strata")]),
    .executableTarget(
      name: "RocksDBExample", dependencies: [.product(name: "StrataRocksDB", package: "Strata")]),
    .executableTarget(
      name: "RedisExample",
      dependencies: [
        .product(name: "StrataRedis", package: "Strata"), .product(name: "Strata", package: "Strata"),
      ]),
    .executableTarget(
      name: "ObservationExample",
      dependencies: [
        .product(name: "StrataObservation", package: "Strata"),
        .product(name: "StrataRedis", package: "Strata"),
      ]),
    .executableTarget(
      name: "S3Example",
      dependencies: [
        .product(name: "StrataS3", package: "Strata"), .product(name: "Strata", package: "Strata"),
      ]),
    .executableTarget(
      name: "PostgresExample",
      dependencies: [
        .product(name: "StrataPostgres", package: "Strata"), .product(name: "Strata", package: "Strata"),
      ]),
    .executableTarget(
      name: "EncryptedCacheExample",
      dependencies: [
        .product(name: "Strata", package: "Strata"), .product(name: "StrataSodium", package: "Strata"),
      ]),
    .executableTarget(
      name: "KeychainExample", dependencies: [.product(name: "StrataKeychain", package: "Strata")]),
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
