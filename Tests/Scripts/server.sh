#!/usr/bin/env bash
# StrataServer, whose trait `Server` is off in all other checks. Without the trait nothing is fetched, and the compiler
# says how to turn it on. With it, against stubs of the four packages that it needs, its tests pass and the code of
# Observability.md type-checks. The package must have been built.
#
# STRATA_PACKAGES names a folder of the real packages, to test against them instead: see mirrors.bash.
source "$(dirname "$0")/common.bash"
source Tests/Scripts/mirrors.bash

server=$consumers/server
rm -rf "$server"
mkdir -p "$server"

# Without the trait. A package that is not pruned names all dependencies, at addresses that cannot be reached here.
off=(env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.allow GIT_CONFIG_VALUE_0=never)
package "$server/off" ../../../.. StrataServer <<'END'
import StrataServer

func metrics(of name: String) -> StorageMetrics { fatalError(name) }  // says: traits: ["Server"]
func service() -> StorageService { fatalError() }  // says: traits: ["Server"]
END
source=$server/off/Sources/App/main.swift
check "without the trait the package can be described, and fetches nothing" "${off[@]}" swift package dump-package
check "so does a consumer: its dependencies are resolved" \
  "${off[@]}" swift package resolve --package-path "$server/off" --scratch-path .build --disable-dependency-cache
check "the compiler says how to turn it on" says "$source"

# With the trait. Every module is compiled with other flags, so in a folder of its own; and from a copy of the sources,
# since SwiftPM writes the versions that it has chosen beside the manifest.
mirrors "$server/mirrors"
copy=$consumers/server-package
mkdir -p "$copy"
rm -rf "$copy/Sources" "$copy/Tests"
cp -a Package.swift XCTMain.swift Sources "$copy"
mkdir "$copy/Tests"
cp -a Tests/StrataServerTests Tests/TestSupport "$copy/Tests"
on=(
  env STRATA_FILTER=Server Tests/build --package-path "$copy" --scratch-path .build/server --traits Server
  --config-path "$server/mirrors" --disable-dependency-cache
)
passes() {
  .build/server/debug/StrataPackageTests.xctest --testing-library swift-testing --no-parallel
}
check "with the trait it builds against ${STRATA_PACKAGES:-stubs}" "${on[@]}" --build-tests
check "its tests pass" passes
