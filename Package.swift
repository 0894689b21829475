// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Strata",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Strata", targets: ["Strata"]),
    .library(name: "StrataCore", targets: ["StrataCore"]),
    .library(name: "StrataAlgebra", targets: ["StrataAlgebra"]),
    .library(name: "StrataDelegate", targets: ["StrataDelegate"]),
    .library(name: "StrataEngines", targets: ["StrataEngines"]),
    .library(name: "StrataParts", targets: ["StrataParts"]),
    .library(name: "StrataMemory", targets: ["StrataMemory"]),
    .library(name: "StrataDisk", targets: ["StrataDisk"]),
    .library(name: "StrataZlib", targets: ["StrataZlib"]),
    .library(name: "StrataLoading", targets: ["StrataLoading"]),
    .library(name: "StrataObservation", targets: ["StrataObservation"]),
    .library(name: "StrataTestKit", targets: ["StrataTestKit"]),
    .library(name: "StrataCBOR", targets: ["StrataCBOR"]),
    .library(name: "StrataZstd", targets: ["StrataZstd"]),
    .library(name: "StrataLZ4", targets: ["StrataLZ4"]),
    .library(name: "StrataHTTP", targets: ["StrataHTTP"]),
    .library(name: "StrataSQLite", targets: ["StrataSQLite"]),
    .library(name: "StrataLMDB", targets: ["StrataLMDB"]),
    .library(name: "StrataRocksDB", targets: ["StrataRocksDB"]),
    .library(name: "StrataRedis", targets: ["StrataRedis"]),
    .library(name: "StrataS3", targets: ["StrataS3"]),
    .library(name: "StrataPostgres", targets: ["StrataPostgres"]),
    .library(name: "StrataSodium", targets: ["StrataSodium"]),
    .library(name: "StrataKeychain", targets: ["StrataKeychain"]),
    .library(name: "StrataServer", targets: ["StrataServer"]),
  ],
  // Choosing a product is the whole switch wherever a product needs a C library, which pkg-config finds. StrataServer
  // needs other packages. SwiftPM fetches the packages of all products for every user, unless a trait is off.
  traits: [
    .trait(
      name: "Server",
      description:
        "StrataServer: swift-log, swift-metrics, swift-distributed-tracing, swift-service-lifecycle")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.3"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
  ],
  targets: [
    .systemLibrary(name: "CFutex"),
    .target(name: "StrataSupport", dependencies: ["CFutex"], exclude: ["README.md"]),
    .target(name: "StrataValues", dependencies: ["StrataSupport"], exclude: ["README.md"]),
    .target(name: "StrataOrder", dependencies: ["StrataValues"], exclude: ["README.md"]),
    .target(name: "StrataStreams", dependencies: ["StrataOrder"], exclude: ["README.md"]),
    .target(name: "StrataCore", dependencies: ["StrataStreams"], exclude: ["README.md"]),
    .target(name: "StrataAlgebra", dependencies: ["StrataCore"], exclude: ["README.md"]),
    .target(name: "StrataDelegate", dependencies: ["StrataAlgebra"], exclude: ["README.md"]),
    .target(name: "StrataParts", dependencies: ["StrataAlgebra"], exclude: ["README.md"]),
    .target(name: "StrataCompression", dependencies: ["StrataCore"], exclude: ["README.md"]),
    .target(name: "StrataLeases", dependencies: ["StrataCore"], exclude: ["README.md"]),
    .target(
      name: "StrataEngines", dependencies: ["StrataCore", "StrataLeases"], exclude: ["README.md"]),
    .target(name: "StrataMemory", dependencies: ["StrataDelegate"], exclude: ["README.md"]),
    .target(name: "CWideHash"),
    .target(
      name: "StrataDisk", dependencies: ["StrataDelegate", "StrataLeases", "CWideHash"],
      exclude: ["README.md"]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "StrataZlib", dependencies: ["StrataCompression", "CZlib"], exclude: ["README.md"]),
    .target(name: "StrataLoading", dependencies: ["StrataAlgebra"], exclude: ["README.md"]),
    .target(
      name: "Strata",
      dependencies: [
        "StrataAlgebra", "StrataDelegate", "StrataMemory", "StrataDisk", "StrataZlib", "StrataLoading",
      ],
      exclude: ["README.md"]),

    .target(name: "StrataObservation", dependencies: ["Strata"], exclude: ["README.md"]),

    // The event loop of the backends that talk to servers.
    .systemLibrary(name: "CEpoll"),
    .target(name: "StrataNetwork", dependencies: ["StrataCore", "CEpoll"], exclude: ["README.md"]),

    .target(name: "StrataTestKit", dependencies: ["StrataAlgebra"], exclude: ["README.md"]),

    .target(name: "StrataCBOR", dependencies: ["StrataCore"], path: "Plugins/CBOR/Sources"),
    .systemLibrary(
      name: "CZstd", path: "Plugins/Zstd/CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(name: "StrataZstd", dependencies: ["StrataCompression", "CZstd"], path: "Plugins/Zstd/Sources"),
    .systemLibrary(
      name: "CLZ4", path: "Plugins/LZ4/CLZ4", pkgConfig: "liblz4",
      providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
    .target(name: "StrataLZ4", dependencies: ["StrataCompression", "CLZ4"], path: "Plugins/LZ4/Sources"),
    .target(name: "StrataHTTP", dependencies: ["StrataDelegate"], path: "Plugins/HTTP/Sources"),
    .systemLibrary(
      name: "CSQLite", path: "Plugins/SQLite/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "StrataSQLite", dependencies: ["StrataDelegate", "StrataEngines", "CSQLite"],
      path: "Plugins/SQLite/Sources"),
    .systemLibrary(
      name: "CLMDB", path: "Plugins/LMDB/CLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .target(
      name: "StrataLMDB", dependencies: ["StrataDelegate", "StrataEngines", "CLMDB"],
      path: "Plugins/LMDB/Sources"),
    .systemLibrary(
      name: "CRocksDB", path: "Plugins/RocksDB/CRocksDB", pkgConfig: "rocksdb",
      providers: [.apt(["librocksdb-dev"]), .brew(["rocksdb"])]),
    .target(
      name: "StrataRocksDB", dependencies: ["StrataDelegate", "StrataEngines", "CRocksDB"],
      path: "Plugins/RocksDB/Sources"),
    .systemLibrary(
      name: "COpenSSL", path: "Plugins/Redis/COpenSSL", pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(
      name: "StrataRedis", dependencies: ["StrataDelegate", "StrataNetwork", "COpenSSL"],
      path: "Plugins/Redis/Sources"),
    .systemLibrary(
      name: "CCurl", path: "Plugins/S3/CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),
    // Apple's systems have URLSession.
    .target(
      name: "StrataS3",
      dependencies: [
        "StrataDelegate", "CWideHash", .target(name: "CCurl", condition: .when(platforms: [.linux])),
      ],
      path: "Plugins/S3/Sources"),
    .systemLibrary(
      name: "CPostgres", path: "Plugins/Postgres/CPostgres", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "StrataPostgres", dependencies: ["StrataDelegate", "StrataNetwork", "CPostgres"],
      path: "Plugins/Postgres/Sources"),
    .systemLibrary(
      name: "CSodium", path: "Plugins/Sodium/CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .target(
      name: "StrataSodium", dependencies: ["StrataDelegate", "CSodium"], path: "Plugins/Sodium/Sources"),
    .systemLibrary(
      name: "CSecret", path: "Plugins/Keychain/CSecret", pkgConfig: "libsecret-1",
      providers: [.apt(["libsecret-1-dev"])]),
    .systemLibrary(
      name: "CKeyutils", path: "Plugins/Keychain/CKeyutils", pkgConfig: "libkeyutils",
      providers: [.apt(["libkeyutils-dev"])]),
    // Elsewhere than on Linux the system has a keychain of its own.
    .target(
      name: "StrataKeychain",
      dependencies: [
        "StrataDelegate", "StrataSodium", "CSodium",
        .target(name: "CSecret", condition: .when(platforms: [.linux])),
        .target(name: "CKeyutils", condition: .when(platforms: [.linux])),
      ],
      path: "Plugins/Keychain/Sources"),

    .target(
      name: "StrataServer",
      dependencies: [
        "StrataLoading", .server("Logging", "swift-log"), .server("Metrics", "swift-metrics"),
        .server("Tracing", "swift-distributed-tracing"),
        .server("ServiceLifecycle", "swift-service-lifecycle"),
      ],
      exclude: ["README.md"]),

    .target(
      name: "TestSupport", dependencies: ["StrataCore", "StrataTestKit"], path: "Tests/TestSupport",
      exclude: ["README.md"]),
    // The chains that the kit checks over each back.
    .target(
      name: "ChainSupport",
      dependencies: [
        "Strata", "StrataLoading", "StrataParts", "StrataSodium", "StrataTestKit", "TestSupport",
      ],
      path: "Tests/ChainSupport", exclude: ["README.md"]),
    .testTarget(name: "StrataSupportTests", dependencies: ["StrataSupport", "TestSupport"]),
    .testTarget(
      name: "StrataCoreTests",
      dependencies: ["StrataDelegate", "StrataEngines", "StrataParts", "StrataTestKit", "TestSupport"]),
    .testTarget(name: "StrataMemoryTests", dependencies: ["StrataMemory", "TestSupport"]),
    .testTarget(
      name: "StrataDiskTests", dependencies: ["StrataDisk", "StrataTestKit", "TestSupport"],
      exclude: ["Faults/README.md"]),
    // What its tests start as processes of their own: there every call of the system can be made to fail.
    .target(name: "CFaults", path: "Tests/CFaults"),
    .executableTarget(
      name: "DiskFaultRunner", dependencies: ["StrataDisk", "CFaults"], path: "Tests/DiskFaultRunner",
      exclude: ["README.md"]),
    .testTarget(name: "StrataZlibTests", dependencies: ["StrataZlib", "TestSupport"]),
    .testTarget(
      name: "StrataLoadingTests",
      dependencies: [
        "StrataLoading", "StrataLeases", "Strata", "StrataSQLite", "StrataTestKit", "TestSupport",
      ]),
    .testTarget(name: "StrataNetworkTests", dependencies: ["StrataNetwork", "StrataTestKit"]),
    .testTarget(name: "StrataTests", dependencies: ["Strata", "TestSupport"]),
    .testTarget(
      name: "StrataObservationTests", dependencies: ["StrataObservation", "StrataTestKit", "TestSupport"]),
    .testTarget(
      name: "StrataCBORTests", dependencies: ["StrataCBOR", "Strata", "TestSupport"],
      path: "Plugins/CBOR/Tests", exclude: ["Vectors"]),
    .testTarget(
      name: "StrataZstdTests",
      dependencies: [
        "StrataZstd", "StrataLZ4", "StrataEngines", "CZstd", "Strata", "StrataTestKit", "TestSupport",
      ],
      path: "Plugins/Zstd/Tests"),
    .testTarget(
      name: "StrataLZ4Tests", dependencies: ["StrataLZ4", "Strata", "StrataTestKit", "TestSupport"],
      path: "Plugins/LZ4/Tests"),
    .testTarget(
      name: "StrataHTTPTests", dependencies: ["StrataHTTP", "StrataMemory", "StrataDisk", "TestSupport"],
      path: "Plugins/HTTP/Tests"),
    .testTarget(
      name: "StrataTestKitTests",
      dependencies: [
        "StrataTestKit", "Strata", "StrataParts", "StrataEngines", "ChainSupport", "TestSupport",
      ],
      exclude: ["README.md"]),
    .testTarget(
      name: "StrataSQLiteTests",
      dependencies: ["StrataSQLite", "CSQLite", "Strata", "StrataTestKit", "ChainSupport", "TestSupport"],
      path: "Plugins/SQLite/Tests"),
    .testTarget(
      name: "StrataLMDBTests",
      dependencies: ["StrataLMDB", "CLMDB", "Strata", "StrataTestKit", "TestSupport"],
      path: "Plugins/LMDB/Tests"),
    .testTarget(
      name: "StrataRocksDBTests",
      dependencies: ["StrataRocksDB", "CRocksDB", "Strata", "StrataTestKit", "TestSupport"],
      path: "Plugins/RocksDB/Tests"),
    .testTarget(
      name: "StrataRedisTests",
      dependencies: [
        "StrataRedis", "StrataNetwork", "Strata", "StrataObservation", "StrataTestKit", "ChainSupport",
        "TestSupport",
      ],
      path: "Plugins/Redis/Tests"),
    .testTarget(
      name: "StrataS3Tests", dependencies: ["StrataS3", "Strata", "StrataTestKit", "TestSupport"],
      path: "Plugins/S3/Tests"),
    .testTarget(
      name: "StrataPostgresTests",
      dependencies: [
        "StrataPostgres", "StrataNetwork", "Strata", "StrataObservation", "StrataTestKit", "ChainSupport",
        "TestSupport",
      ],
      path: "Plugins/Postgres/Tests"),
    .testTarget(
      name: "StrataSodiumTests",
      dependencies: ["StrataSodium", "CSodium", "Strata", "StrataSQLite", "StrataTestKit", "TestSupport"],
      path: "Plugins/Sodium/Tests", exclude: ["Vectors"]),
    // What its tests start as a process of its own: there it may die, and leave its memory behind.
    .executableTarget(
      name: "SodiumRunner", dependencies: ["StrataSodium", "Strata", "StrataSQLite"],
      path: "Plugins/Sodium/Runner"),
    // What its tests start as processes of their own.
    .executableTarget(
      name: "KeychainRunner", dependencies: ["StrataKeychain"], path: "Plugins/Keychain/Runner"),
    .testTarget(
      name: "StrataKeychainTests",
      dependencies: [
        "StrataKeychain", .target(name: "CKeyutils", condition: .when(platforms: [.linux])), "Strata",
        "StrataTestKit", "TestSupport",
      ],
      path: "Plugins/Keychain/Tests", exclude: ["Vectors"]),
    // What is the same in many backends.
    .testTarget(
      name: "StrataStreamTests",
      dependencies: [
        "Strata", "StrataSQLite", "StrataLMDB", "StrataRocksDB", "StrataSodium", "StrataZstd", "StrataLZ4",
        "StrataParts", "TestSupport",
      ]),
    .testTarget(
      name: "StrataServerTests",
      dependencies: [
        "StrataServer", "StrataMemory", .server("InMemoryLogging", "swift-log"),
        .server("MetricsTestKit", "swift-metrics"), .server("InMemoryTracing", "swift-distributed-tracing"),
        .server("ServiceLifecycleTestKit", "swift-service-lifecycle"),
      ]),
  ]
)

extension Target.Dependency {
  /// A product of another package, which only the trait `Server` fetches.
  static func server(_ product: String, _ package: String) -> Self {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
  }
}

// `make test FILTER=Disk` builds the tests of the modules with that in their name, and nothing that those do not need.
if let filter = Context.environment["STRATA_FILTER"] {
  // What tests start as processes of their own is no dependency of theirs: it must not be linked into them.
  let runners = [
    "StrataDiskTests": "DiskFaultRunner", "StrataSodiumTests": "SodiumRunner",
    "StrataKeychainTests": "KeychainRunner",
  ]
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  func need(_ name: String) {
    guard let target = targets[name], needed.insert(name).inserted else { return }
    runners[name].map(need)
    for dependency in target.dependencies {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): need(name)
      default: break
      }
    }
  }
  for target in package.targets where target.type == .test && target.name.contains(filter) {
    need(target.name)
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { !needed.contains($0.name) }
  // SwiftPM would fetch packages that no target mentions.
  if !needed.contains("StrataServer") { package.dependencies = [] }
}

// One set of rules for every target: what compiles here compiles under the strictest settings of a user. Warnings are
// errors where Tests/build sets STRATA_STRICT: a new warning of a future compiler must not break a user's build.
let strict: [SwiftSetting] =
  Context.environment["STRATA_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system {
  target.swiftSettings =
    [.swiftLanguageMode(.v6)] + strict + [
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("ExistentialAny"),
    ]
}
