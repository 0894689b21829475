#!/usr/bin/env bash
# StrataServer, whose trait is off in all other checks. Without the trait nothing is fetched, and the compiler says how
# to turn it on. With it, against stubs of the packages that it needs, its tests pass, and the examples in its comments
# and the code of Observability.md build. The package must have been built.
#
# FRAMEWORKS=folder takes the real packages from a folder instead: see mirrors.bash.
source "$(dirname "$0")/common.bash"
source Tests/Scripts/mirrors.bash

server=$consumers/server
rm -rf "$server"
mkdir -p "$server"

# Without the trait. Here git may use no address at all.
offline() { GIT_ALLOW_PROTOCOL=none GIT_TERMINAL_PROMPT=0 "$@"; }
untouched() {
  offline "$@" >"$server/output" 2>&1 || { cat "$server/output"; return 1; }
  if grep -i 'fetch' "$server/output" || git status --porcelain | grep 'Package.resolved'; then return 1; fi
}
check "without the trait the package is described without its dependencies" untouched swift package dump-package
check "it resolves without them" untouched swift package resolve --scratch-path .build
package "$server/app" ../../../.. StrataServer <<'END'
import StrataServer

func metrics() -> StorageMetrics { fatalError() }  // says: traits: ["Server"]
func service() -> StorageService { fatalError() }  // says: traits: ["Server"]
END
check "so does a consumer" untouched swift package resolve --package-path "$server/app" --scratch-path .build
check "the compiler says how to turn the trait on" says "$server/app/Sources/App/main.swift"

# With the trait, which changes the flags of every module: they are compiled once more, in a folder of their own.
# SwiftPM writes the versions that it has chosen beside the manifest, so the manifest is a copy.
mirrors "$server/mirrors" Package.swift
copy=$consumers/server-package
scratch=.build/server${FRAMEWORKS:+-frameworks}
rm -rf "$copy"
mkdir -p "$copy/Tests"
cp -a Package.swift XCTMain.swift Sources "$copy"
cp -a Tests/StrataServerTests "$copy/Tests"
on() {
  STRATA_FILTER=Server Tests/build --package-path "$copy" --scratch-path "$scratch" --traits Server "${mirrored[@]}" "$@"
}
check "with the trait it builds against ${FRAMEWORKS:-stubs}" on --build-tests
if [ "$(uname)" != Linux ]; then
  echo "skipped the tests of StrataServer: they are run on Linux"
  exit
fi
check "its tests pass" "$scratch/debug/StrataPackageTests.xctest" --testing-library swift-testing --no-parallel

# A user's package turns the trait on in its manifest. Its code is that of the page and of the comments, with what they
# use without declaring it.
user=$server/user
package "$user" "../../../../$copy" StrataServer <<<'print("built")'
sed -i 's|\(path: "[^"]*"\)|\1, traits: ["Server"]|' "$user/Package.swift"
{
  cat Tests/Scripts/server.swift
  awk '/^```swift server$/ { isCode = 1; next } /^```$/ { isCode = 0 } isCode' Documentation/Observability.md
  examples Sources/StrataServer
} >"$user/Sources/App/Examples.swift"
builds() { STRATA_FILTER=Server Tests/build --package-path "$user" --scratch-path "$scratch" "${mirrored[@]}"; }
check "the code of Observability.md and of StrataServer's comments builds in a package that turns the trait on" builds
