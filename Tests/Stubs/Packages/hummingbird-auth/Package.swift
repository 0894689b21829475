// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "hummingbird-auth", platforms: [.macOS(.v15)],
  products: [.library(name: "HummingbirdAuth", targets: ["HummingbirdAuth"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.0.0"),
  ],
  targets: [
    .target(
      name: "HummingbirdAuth",
      dependencies: [
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ])
  ])
