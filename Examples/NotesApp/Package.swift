// swift-tools-version: 6.2
import PackageDescription

// An app for Apple's platforms. On Linux, which has no SwiftUI, `Tests/apple` type-checks it against stubs.
let package = Package(
  name: "NotesApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "Strata", path: "../..")],
  targets: [
    .executableTarget(
      name: "NotesApp", dependencies: [.product(name: "StrataObservation", package: "Strata")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
