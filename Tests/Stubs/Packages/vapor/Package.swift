// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "vapor", platforms: [.macOS(.v15)],
  products: [.library(name: "Vapor", targets: ["Vapor"])],
  dependencies: [.package(url: "https://github.com/apple/swift-nio.git", from: "2.0.0")],
  targets: [
    .target(
      name: "Vapor",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
      ])
  ])
