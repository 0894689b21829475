// swift-tools-version: 6.2
import PackageDescription

// A backend over a network in a separate package, as anyone could publish it: it contains no code of Strata.
let package = Package(
  name: "MemcachedExample",
  platforms: [.macOS(.v15)],
  products: [.library(name: "MemcachedStorage", targets: ["MemcachedStorage"])],
  dependencies: [.package(name: "Strata", path: "../..")],
  targets: [
    .target(name: "MemcachedStorage", dependencies: [.product(name: "StrataEngines", package: "Strata")]),
    .testTarget(
      name: "MemcachedStorageTests",
      dependencies: [
        "MemcachedStorage", .product(name: "StrataParts", package: "Strata"),
        .product(name: "StrataTestKit", package: "Strata"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
