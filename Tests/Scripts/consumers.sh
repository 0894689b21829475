#!/usr/bin/env bash
# Programs written for Cache, AsyncStorages and PingStorage build with Strata in the language modes of Swift 5 and 6,
# and behave as their authors describe. So does the code of the guides for migrating from these libraries.
source "$(dirname "$0")/common.bash"

home=$PWD/$consumers/home

# run <program>: runs a program with empty user folders, and with a proxy on a port that nothing listens on, so that no
# request leaves the machine.
run() {
  rm -rf "$home"
  mkdir -p "$home"
  HOME=$home XDG_CACHE_HOME=$home/caches XDG_DATA_HOME=$home/data TMPDIR=$home https_proxy=http://127.0.0.1:9 \
    "$products/$1"
}
prints() {
  local program=$1
  shift
  diff <(run "$program") <(printf '%s\n' "$@")
}

check "the programs for Cache, AsyncStorages and PingStorage build, in the modes of Swift 5 and 6" \
  build Tests/Consumers
for library in Cache AsyncStorages PingStorage; do
  check "what is written for $library runs in the mode of Swift 6" run "From$library"
  check "and in that of Swift 5" run "From${library}InSwift5"
done

# The page of each guide is a program. Code in a list is indented. Other guides are checked by pages.sh.
guides=$consumers/guides
targets=
for name in ComingFromCache ComingFromAsyncStorages ComingFromPingStorage; do
  page=Documentation/$name.md
  mkdir -p "$guides/Sources/$name"
  sed -nE '/^ *```swift$/,/^ *```$/{/^ *```/!p}' "$page" >"$guides/Sources/$name/main.swift"
  targets+=".executableTarget(name: \"$name\", dependencies: [.product(name: \"Strata\", package: \"Strata\")]),"
done
cat >"$guides/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Guides",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "../../..")],
  targets: [$targets]
)
END
check "the code of the guides builds" build "$guides"
check "that of ComingFromCache runs" prints ComingFromCache '["user"]'
check "that of ComingFromAsyncStorages runs" prints ComingFromAsyncStorages \
  "Kharkiv 2800000" 'Lviv ["lviv?"] false'
check "that of ComingFromPingStorage runs" prints ComingFromPingStorage first second third fourth
