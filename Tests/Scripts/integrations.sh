#!/usr/bin/env bash
# The packages of Integrations build against stubs of their frameworks, Tests/Stubs/Packages, and their tests pass. The
# programs on their pages and the examples in their comments compile. The package must have been built.
#
# FRAMEWORKS=folder takes the frameworks from a folder instead: see mirrors.bash. It builds in .build/frameworks, which
# takes minutes.
source "$(dirname "$0")/common.bash"
source Tests/Scripts/mirrors.bash

work=$PWD/$consumers/integrations
rm -rf "$work"
mirrors "$consumers/integrations" Integrations/*/Package.swift
options=("${mirrored[@]}")
if [ -n "${FRAMEWORKS:-}" ]; then
  with="its framework"
  options+=(--scratch-path .build/frameworks)
  products=.build/frameworks/debug
else
  with="its framework's stub"
  # It would take the stubs of the last run, since their versions are the same.
  rm -rf .build/checkouts .build/repositories .build/workspace-state.json
fi

# integration <name> <page>: builds a copy of a package, so that nothing is written into it, with its page as a program.
# On a page the blocks marked ```swift Service.swift are one file.
integration() {
  local package=$work/Strata$1
  mkdir -p "$package/$1Service"
  ln -s "$PWD/Integrations/Strata$1/Sources" "$PWD/Integrations/Strata$1/Tests" "$package"
  sed 's|path: "\.\./\.\."|path: "../../../.."|' "Integrations/Strata$1/Package.swift" >"$package/Package.swift"
  cat >>"$package/Package.swift" <<END
package.targets.append(
  .executableTarget(
    name: "$1Service", dependencies: package.targets.last?.dependencies ?? [], path: "$1Service"))
END
  awk '/^```swift Service.swift$/ { is = 1; next } /^```$/ { is = 0 } is' "Documentation/$1Service.md" \
    >"$package/$1Service/Service.swift"
  # Integrations/Strata$1/Examples.swift declares the names that examples use without declaring them.
  { cat "Integrations/Strata$1/Examples.swift"; examples "Integrations/Strata$1/Sources"; } \
    >"$package/$1Service/Examples.swift"
  check "Strata$1 builds with $with, the program of its page and its examples" build "$package" --build-tests "${options[@]}"
  check "its tests pass" tests "Strata$1" "$package"
}

integration Hummingbird
integration Vapor
