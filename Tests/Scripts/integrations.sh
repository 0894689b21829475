#!/usr/bin/env bash
# The packages of Integrations build against stubs of their frameworks, Tests/Stubs/Packages, and their tests pass. The
# programs on their pages and the examples in their comments compile. The package must have been built.
#
# FRAMEWORKS=folder takes the frameworks from git repositories in a folder instead, <owner>/<name> with their tags, and
# what is not there from the network. It builds in .build/frameworks, which takes minutes.
source "$(dirname "$0")/common.bash"

work=$PWD/$consumers/integrations
rm -rf "$work"
mkdir -p "$work/config"

# The dependencies of the integrations and of the stubs, each with the versions from which it is wanted.
wanted=$(sed -nE 's/.*\.package\(url: "([^"]+)", from: "([^"]+)".*/\1 \2/p' \
  Integrations/*/Package.swift Tests/Stubs/Packages/*/Package.swift | sort -u)

# stub <name> <version>: makes a repository of a stub, if there is none yet, and tags it with a version.
stub() {
  local repository=$work/stubs/$1
  if [ ! -d "$repository" ]; then
    mkdir -p "$work/stubs"
    cp -R "Tests/Stubs/Packages/$1" "$repository"
    git -C "$repository" init --quiet
    git -C "$repository" add --all
    git -C "$repository" -c user.name=Tests -c user.email=tests@localhost commit --quiet --message=Stub
  fi
  git -C "$repository" tag --force "$2" >/dev/null
}

# Prints the URL of each package, and the repository that SwiftPM takes instead.
repositories() {
  local url version folder
  if [ -n "${FRAMEWORKS:-}" ]; then
    for folder in "$FRAMEWORKS"/*/*/; do
      url=https://github.com/${folder#"$FRAMEWORKS"/}
      echo "${url%/}" "file://$(realpath "$folder")"
      echo "${url%/}.git" "file://$(realpath "$folder")"
    done
  else
    while read -r url version; do
      stub "$(basename "$url" .git)" "$version"
      echo "$url" "file://$work/stubs/$(basename "$url" .git)"
    done <<<"$wanted"
  fi
}
repositories | sort -u | awk '
  { printf "%s{\"original\": \"%s\", \"mirror\": \"%s\"}", NR == 1 ? "{\"version\": 1, \"object\": [" : ",\n", $1, $2 }
  END { print "]}" }
' >"$work/config/mirrors.json"

# What SwiftPM remembers about repositories is about other ones of the same names.
options=(--config-path "$work/config" --security-path "$work/security" --cache-path "$work/cache")
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
