#!/usr/bin/env bash
# The code of each page of the documentation is a program: it builds, and prints what it should.
source "$(dirname "$0")/common.bash"

code() { sed -n '/^```swift$/,/^```$/{/^```/!p}' "$1"; }

program=$consumers/documentation
prints() { diff <("$products/App") <(printf '%s\n' "$@"); }

code Documentation/YourOwnStorage.md | package "$program" ../../.. Strata
check "the code of YourOwnStorage builds" build "$program"
check "it runs" prints "level 3" "starts 2" 'stored ["Ada", "Grace"]' "first Ada" "now Grace"

# This page is a test target.
kit=$consumers/testkit
mkdir -p "$kit/Tests/AppTests"
code Documentation/TestingAStorage.md >"$kit/Tests/AppTests/AppTests.swift"
cat >"$kit/Package.swift" <<'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "../../..")],
  targets: [
    .testTarget(
      name: "AppTests",
      dependencies: [
        .product(name: "Strata", package: "Strata"), .product(name: "StrataTestKit", package: "Strata"),
      ])
  ]
)
END
check "the code of TestingAStorage builds" build "$kit" --build-tests
check "its tests pass" swift test --scratch-path .build --package-path "$kit" --skip-build --disable-xctest
