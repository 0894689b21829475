// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that it uses Strata as a user's program does, and users of Strata never build it.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  // The command-line tool `strata` uses this library too.
  products: [.library(name: "CacheSimulation", targets: ["CacheSimulation", "BenchTraces", "BenchHarness"])],
  dependencies: [.package(name: "Strata", path: "..")],
  targets: [
    .systemLibrary(name: "CMalloc", path: "Libraries/CMalloc"),
    .systemLibrary(
      name: "CGzip", path: "Libraries/CGzip", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    // The C libraries that the backends wrap, as baselines for the backends. Their names differ from the names of the
    // backends' targets, since a module name must be unique among all packages.
    .systemLibrary(
      name: "CSQLiteAPI", path: "Libraries/CSQLiteAPI", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CLMDBAPI", path: "Libraries/CLMDBAPI", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(
      name: "CRocksDBAPI", path: "Libraries/CRocksDBAPI", pkgConfig: "rocksdb",
      providers: [.apt(["librocksdb-dev"]), .brew(["rocksdb"])]),
    .systemLibrary(
      name: "CSodiumAPI", path: "Libraries/CSodiumAPI", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),

    .target(name: "BenchHarness", dependencies: ["CMalloc"]),
    .target(name: "BenchTraces", dependencies: ["BenchHarness", "CGzip"]),
    .target(
      name: "CacheSimulation",
      dependencies: ["BenchHarness", "BenchTraces", .product(name: "StrataMemory", package: "Strata")]),
    .executableTarget(
      name: "strata-bench",
      dependencies: [
        "BenchHarness", "BenchTraces", "CacheSimulation", "CSQLiteAPI", "CLMDBAPI", "CRocksDBAPI",
        "CSodiumAPI",
        .product(name: "Strata", package: "Strata"),
        .product(name: "StrataSQLite", package: "Strata"), .product(name: "StrataLMDB", package: "Strata"),
        .product(name: "StrataRocksDB", package: "Strata"), .product(name: "StrataRedis", package: "Strata"),
        .product(name: "StrataPostgres", package: "Strata"),
        .product(name: "StrataSodium", package: "Strata"), .product(name: "StrataCBOR", package: "Strata"),
        .product(name: "StrataZstd", package: "Strata"), .product(name: "StrataLZ4", package: "Strata"),
        .product(name: "StrataS3", package: "Strata"),
      ]),

    .testTarget(name: "BenchHarnessTests", dependencies: ["BenchHarness"]),
    .testTarget(name: "BenchTracesTests", dependencies: ["BenchTraces", "BenchHarness"]),
    .testTarget(
      name: "StrataBenchTests",
      dependencies: ["strata-bench", "BenchTraces", "BenchHarness", "CacheSimulation"]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ]
}
