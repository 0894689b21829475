#!/usr/bin/env bash
# The afternoon of YourOwnStorage and TestingAStorage, done as a reader would, goes as the pages say, and the tests of
# TestingAStorage pass. The examples in comments and in the READMEs of modules type-check. The package must have been
# built.
source "$(dirname "$0")/common.bash"

# The afternoon of YourOwnStorage and TestingAStorage: a block marked ```swift path is that file of the reader's
# package. steps <count>: writes the files of the first blocks, in the order of the pages; later blocks replace files.
afternoon=$consumers/afternoon
steps() {
  awk -v last="$1" -v folder="$afternoon" '
    /^```swift .*\// || /^```swift Package.swift$/ {
      if (++count > last) exit
      file = folder "/" $2
      printf "" >file
      next
    }
    /^```$/ { if (file != "") close(file); file = "" }
    file != "" { print >file }
  ' Documentation/YourOwnStorage.md Documentation/TestingAStorage.md
  sed -i 's|\.package(url: "[^"]*", from: "[^"]*")|.package(name: "Strata", path: "../../..")|' "$afternoon/Package.swift"
}
afternoonTests() { STRATA_TESTKIT_EFFORT=brief tests Drawer "$afternoon"; }

# breaks <promise> …: succeeds if the tests fail, and the kit says that these promises are broken, and no others. It
# leaves out `streams`: what an engine writes when it is closed may come too late for a store that is opened again.
breaks() {
  local output broken
  if output=$(afternoonTests 2>&1); then return 1; fi
  broken=$(grep -oE 'DrawerStorage: [A-Za-z]+ is broken' <<<"$output" | awk '{ print $2 }' | grep -vx streams | sort -u)
  diff <(printf '%s\n' "$@" | sort) <(echo "$broken") || { echo "$output"; return 1; }
}

mkdir -p "$afternoon/Sources/Drawer" "$afternoon/Tests/DrawerTests"
cp XCTMain.swift "$afternoon/Tests"
steps 2
check "the first engine of the afternoon builds" build "$afternoon" --target Drawer
steps 3
check "its test builds" build "$afternoon" --build-tests
check "it fails as the page says" breaks fullDisk readOnlyFolder severalProcesses survivingKill tornStreams
steps 4
check "the engine with a journal builds" build "$afternoon" --build-tests
check "and is one for a single process" breaks severalProcesses
steps 5
check "the last test of the afternoon builds" build "$afternoon" --build-tests
check "and passes" afternoonTests

# This page is a test target.
kit=$consumers/testkit
mkdir -p "$kit/Tests/AppTests"
cp XCTMain.swift "$kit/Tests"
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
check "its tests pass" tests App "$kit"

# documentation.swift declares the names that examples use without declaring them. server.sh checks StrataServer's.
{ cat Tests/Scripts/documentation.swift; examples $(ls -d Sources/* Plugins | grep -v StrataServer); } >"$consumers/examples.swift"
check "the examples in comments and in the READMEs of modules type-check" \
  swiftc "${typecheck[@]}" -package-name App "$consumers/examples.swift"
