// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-distributed-tracing",
  products: [
    .library(name: "Tracing", targets: ["Tracing"]),
    .library(name: "InMemoryTracing", targets: ["InMemoryTracing"]),
  ],
  targets: [
    // In the real world a package of its own, swift-service-context.
    .target(name: "ServiceContextModule"),
    .target(name: "Tracing", dependencies: ["ServiceContextModule"]),
    .target(name: "InMemoryTracing", dependencies: ["Tracing"]),
  ]
)
