// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what is measured is what a program of a user's gets, and nobody who uses Strata
// builds it.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "..")],
  targets: [
    .systemLibrary(name: "CMalloc", path: "Libraries/CMalloc"),
    .systemLibrary(
      name: "CGzip", path: "Libraries/CGzip", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

    .target(name: "BenchHarness", dependencies: ["CMalloc"]),
    .target(name: "BenchTraces", dependencies: ["BenchHarness", "CGzip"]),
    .executableTarget(
      name: "strata-bench",
      dependencies: ["BenchHarness", "BenchTraces", .product(name: "Strata", package: "Strata")]),

    .testTarget(name: "BenchHarnessTests", dependencies: ["BenchHarness"]),
    .testTarget(name: "BenchTracesTests", dependencies: ["BenchTraces", "BenchHarness"]),
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
