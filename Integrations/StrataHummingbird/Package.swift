// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "StrataHummingbird",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [.library(name: "StrataHummingbird", targets: ["StrataHummingbird"])],
  dependencies: [
    .package(name: "Strata", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.26.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird-auth.git", from: "2.2.0"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.100.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.8.0"),
  ],
  targets: [
    .target(
      name: "StrataHummingbird",
      dependencies: [
        .product(name: "StrataCore", package: "Strata"), .product(name: "StrataHTTP", package: "Strata"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .testTarget(
      name: "StrataHummingbirdTests",
      dependencies: [
        "StrataHummingbird",
        .product(name: "Strata", package: "Strata"), .product(name: "StrataRedis", package: "Strata"),
        .product(name: "StrataPostgres", package: "Strata"),
        .product(name: "HummingbirdAuth", package: "hummingbird-auth"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
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
