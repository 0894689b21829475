// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Strata",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Strata", targets: ["Strata"]),
    .library(name: "StrataCore", targets: ["StrataCore"]),
    .library(name: "StrataMemory", targets: ["StrataMemory"]),
    .library(name: "StrataDisk", targets: ["StrataDisk"]),
    .library(name: "StrataZlib", targets: ["StrataZlib"]),
    .library(name: "StrataHTTP", targets: ["StrataHTTP"]),
  ],
  targets: [
    .target(name: "StrataCore"),
    .target(name: "StrataMemory", dependencies: ["StrataCore"]),
    .target(name: "StrataDisk", dependencies: ["StrataCore"]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "StrataZlib", dependencies: ["StrataCore", "CZlib"]),
    .target(
      name: "Strata", dependencies: ["StrataCore", "StrataMemory", "StrataDisk", "StrataZlib"]),

    .target(name: "StrataHTTP", dependencies: ["StrataCore"], path: "Plugins/HTTP/Sources"),

    .target(name: "TestSupport", dependencies: ["StrataCore"], path: "Tests/TestSupport"),
    .testTarget(name: "StrataCoreTests", dependencies: ["StrataCore", "TestSupport"]),
    .testTarget(name: "StrataMemoryTests", dependencies: ["StrataMemory", "TestSupport"]),
    .testTarget(name: "StrataDiskTests", dependencies: ["StrataDisk", "TestSupport"]),
    .testTarget(name: "StrataZlibTests", dependencies: ["StrataZlib", "TestSupport"]),
    .testTarget(name: "StrataTests", dependencies: ["Strata", "TestSupport"]),
    .testTarget(
      name: "StrataHTTPTests", dependencies: ["StrataHTTP", "StrataMemory", "StrataDisk", "TestSupport"],
      path: "Plugins/HTTP/Tests"),
  ]
)

// One set of rules for every target: what compiles here compiles under the strictest settings of a user.
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
