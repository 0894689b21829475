// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-metrics",
  products: [
    .library(name: "Metrics", targets: ["Metrics"]),
    .library(name: "MetricsTestKit", targets: ["MetricsTestKit"]),
  ],
  targets: [.target(name: "Metrics"), .target(name: "MetricsTestKit", dependencies: ["Metrics"])]
)
