// swift-tools-version: 6.2
import PackageDescription

// Programs written for the three libraries that Strata replaces, unchanged except for the import and the changes that
// the guides in Documentation/ name. Each is built in the language modes of Swift 6 and, as `…InSwift5`, of Swift 5:
// the folder Swift5 is a link to Sources, since no two targets may have the same one.
let programs = [
  "FromCache": ["Strata"], "FromAsyncStorages": ["Strata", "StrataHTTP"], "FromPingStorage": ["Strata"],
]
let modes: [(suffix: String, folder: String, mode: SwiftLanguageMode)] = [
  ("", "Sources", .v6), ("InSwift5", "Swift5", .v5),
]

let package = Package(
  name: "Consumers",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "../..")],
  targets: programs.flatMap { name, products in
    modes.map { suffix, folder, mode in
      .executableTarget(
        name: name + suffix, dependencies: products.map { .product(name: $0, package: "Strata") },
        path: "\(folder)/\(name)", swiftSettings: [.swiftLanguageMode(mode)])
    }
  }
)
