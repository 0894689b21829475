// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-nio", platforms: [.macOS(.v15)],
  products: [
    .library(name: "NIOCore", targets: ["NIOCore"]), .library(name: "NIOHTTP1", targets: ["NIOHTTP1"]),
  ],
  targets: [.target(name: "NIOCore"), .target(name: "NIOHTTP1")])
