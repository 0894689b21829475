// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-service-lifecycle",
  products: [
    .library(name: "ServiceLifecycle", targets: ["ServiceLifecycle"]),
    .library(name: "ServiceLifecycleTestKit", targets: ["ServiceLifecycleTestKit"]),
    .library(name: "UnixSignals", targets: ["UnixSignals"]),
  ],
  dependencies: [.package(url: "https://github.com/apple/swift-log.git", from: "1.0.0")],
  targets: [
    .target(name: "UnixSignals"),
    .target(
      name: "ServiceLifecycle",
      dependencies: ["UnixSignals", .product(name: "Logging", package: "swift-log")]),
    .target(name: "ServiceLifecycleTestKit", dependencies: ["ServiceLifecycle"]),
  ]
)
