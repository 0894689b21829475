// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "StrataVapor",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11)],
  products: [.library(name: "StrataVapor", targets: ["StrataVapor"])],
  dependencies: [
    .package(name: "Strata", path: "../.."),
    .package(url: "https://github.com/vapor/vapor.git", from: "4.122.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.81.0"),
  ],
  targets: [
    .target(
      name: "StrataVapor",
      dependencies: [
        .product(name: "StrataCore", package: "Strata"),
        .product(name: "Vapor", package: "vapor"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    .testTarget(
      name: "StrataVaporTests",
      dependencies: [
        "StrataVapor",
        .product(name: "Strata", package: "Strata"), .product(name: "StrataRedis", package: "Strata"),
        .product(name: "StrataPostgres", package: "Strata"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
  ]
)

// The settings of Strata's own targets; see its Package.swift.
let strict: [SwiftSetting] =
  Context.environment["STRATA_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]
for target in package.targets {
  target.swiftSettings =
    [.swiftLanguageMode(.v6)] + strict + [
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("ExistentialAny"),
    ]
}
