// swift-tools-version: 6.2
import PackageDescription

// A backend of its own, as anybody would publish one: nothing in it belongs to Strata.
let package = Package(
  name: "LevelDBExample",
  platforms: [.macOS(.v15)],
  products: [.library(name: "LevelDBStorage", targets: ["LevelDBStorage"])],
  dependencies: [.package(name: "Strata", path: "../..")],
  targets: [
    .systemLibrary(name: "CLevelDB", providers: [.apt(["libleveldb-dev"]), .brew(["leveldb"])]),
    .target(
      name: "LevelDBStorage", dependencies: ["CLevelDB", .product(name: "StrataCore", package: "Strata")]),
    .testTarget(
      name: "LevelDBStorageTests",
      dependencies: ["LevelDBStorage", .product(name: "StrataTestKit", package: "Strata")]),
  ],
  swiftLanguageModes: [.v6]
)
