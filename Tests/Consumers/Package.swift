// swift-tools-version: 6.2
import PackageDescription

// Programs written for the three libraries that Strata takes the place of, as their authors wrote them but for the import and for the
// changes that the guides in Documentation/ name. STRATA_CONSUMERS_MODE=5 builds them in the language mode of Swift 5.
let mode: SwiftLanguageMode = Context.environment["STRATA_CONSUMERS_MODE"] == "5" ? .v5 : .v6

let package = Package(
  name: "Consumers",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "../..")],
  targets: ["FromCache", "FromAsyncStorages", "FromPingStorage"].map { name in
    .executableTarget(
      name: name, dependencies: [.product(name: "Strata", package: "Strata")],
      swiftSettings: [.swiftLanguageMode(mode)])
  }
)
