#!/usr/bin/env bash
# The code of the guides, recipes and tutorials that is no whole program type-checks. The package must have been built.
#
# On a page a block with a further word, such as ```swift vapor, is a file that type-checks, against Tests/Stubs if it
# needs a framework that is not here. A block marked ```swift before is code of another library, server.sh checks
# those marked ```swift server, and Tests/apple those marked ```swift swiftui. programs.sh runs the others.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

pages=$consumers/pages
rm -rf "$pages"
mkdir -p "$pages/files" "$pages/stubs"

# The blocks that are files of their own.
awk -v folder="$pages/files" '
  /^```swift [a-z]/ && $2 != "before" && $2 != "server" && $2 != "swiftui" {
    file = FILENAME; gsub(/.*\/|\.md/, "", file); path = folder "/" file "-" $2 ".swift"; next
  }
  /^```$/ { path = "" }
  path { print > path }
' Documentation/*.md
for stub in Tests/Stubs/*.swift; do
  name=$(basename "$stub" .swift)
  swiftc -parse-as-library -swift-version 6 -emit-module -module-name "$name" -o "$pages/stubs/$name.swiftmodule" "$stub"
done
for file in "$pages"/files/*.swift; do
  grep -q '^import Strata$' "$file" || sed -i.original '1i import Strata' "$file"
  check "the file $(basename "$file") of a page type-checks" swiftc -I "$pages/stubs" "${typecheck[@]}" "$file"
done

# Each step of a tutorial is a program.
steps() {
  local file
  for file in Documentation/Site/Tutorials/*/*.swift; do
    cp "$file" "$pages/files/main.swift"
    swiftc "${typecheck[@]/-parse-as-library/-enable-bare-slash-regex}" "$pages/files/main.swift" || return
  done
}
check "the steps of the tutorials type-check" steps

# The benchmarks' page shows a part of a function.
{
  printf '%s\n' 'import BenchHarness' 'struct Reader { func read(_ keys: [String]) -> Int { keys.count } }' \
    'func compares(_ keys: [String], _ mine: Reader, _ theirs: Reader) throws {'
  code Benchmarks/README.md
  echo 'print(timings) }'
} >"$pages/files/benchmark.swift"
check "the code of the benchmarks' page type-checks" swiftc "${typecheck[@]}" "$pages/files/benchmark.swift"

# No page with code is left out.
all() {
  local page
  for page in $(git grep -l '^ *```swift' -- '*.md'); do
    case $page in
    README.md | CONTRIBUTING.md | Benchmarks/README.md | Documentation/*.md | Sources/*/README.md | Plugins/README.md | Plugins/*/README.md) ;;
    *) echo "$page has code that no check compiles" && return 1 ;;
    esac
  done
}
check "all pages with code are checked" all
