// swift-tools-version: 6.2
import PackageDescription

// A backend in a separate package, as anyone could publish it: it contains no code of Strata.
let package = Package(
  name: "LevelDBExample",
  platforms: [.macOS(.v15)],
  products: [.library(name: "LevelDBStorage", targets: ["LevelDBStorage"])],
  dependencies: [.package(name: "Strata", path: "../..")],
  targets: [
    .systemLibrary(name: "CLevelDB", providers: [.apt(["libleveldb-dev"]), .brew(["leveldb"])]),
    .target(
      name: "LevelDBStorage", dependencies: ["CLevelDB", .product(name: "StrataEngines", package: "Strata")]),
    .testTarget(
      name: "LevelDBStorageTests",
      dependencies: ["LevelDBStorage", .product(name: "StrataTestKit", package: "Strata")]),
  ],
  swiftLanguageModes: [.v6]
)
