# Code that the checks share. Each check is a script that prints what holds, and fails with the reason if it does not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The packages that the checks create. They use Strata's build folder, so that nothing is built twice.
consumers=.build/consumers
products=.build/debug
mkdir -p "$consumers"

# build <folder of a package> <option> …: builds a package. Each build is planned again: SwiftPM may take the cached
# plan of another package in this folder, or one from before the package's sources were replaced, and build nothing.
build() {
  local package=$1
  shift
  swift build --disable-build-manifest-caching --scratch-path .build --package-path "$package" "$@"
}

# check <what holds> <command> …: runs a command and prints whether it succeeded.
check() {
  local what=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "ok      $what"
  else
    echo "FAILED  $what"
    sed 's/^/        /' <<<"$output"
    exit 1
  fi
}

# fails <text> <command> …: succeeds if the command fails and its output contains the text.
fails() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then return 1; fi
  grep -F "$text" <<<"$output"
}

# package <folder> <path of Strata, from there> <product>: creates a package with an executable App, whose source is
# read from standard input.
package() {
  mkdir -p "$1/Sources/App"
  cat >"$1/Sources/App/main.swift"
  cat >"$1/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "$2")],
  targets: [.executableTarget(name: "App", dependencies: [.product(name: "$3", package: "Strata")])]
)
END
}

# What `swiftc` needs to type-check a program against the modules that are built, as an array.
typecheck=(-typecheck -parse-as-library -suppress-warnings -swift-version 6 -I .build/debug/Modules)
for map in $(find Sources Plugins Benchmarks/Libraries .build/debug/CWideHash.build -name module.modulemap); do
  typecheck+=(-Xcc "-fmodule-map-file=$map")
done
for flag in $(pkg-config --cflags $(sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' Package.swift)); do
  typecheck+=(-Xcc "$flag")
done
