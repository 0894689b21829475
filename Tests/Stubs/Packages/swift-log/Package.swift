// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-log",
  products: [
    .library(name: "Logging", targets: ["Logging"]),
    .library(name: "InMemoryLogging", targets: ["InMemoryLogging"]),
  ],
  targets: [.target(name: "Logging"), .target(name: "InMemoryLogging", dependencies: ["Logging"])]
)
