#!/usr/bin/env bash
# The code of the guides, recipes and tutorials compiles; what can run alone runs, and prints what the pages say. The
# package must have been built.
#
# On a page the blocks marked ```swift are one program, and a comment `// prints: text` is a line of its output. A block
# with a further word, such as ```swift vapor, is a file that type-checks, against Tests/Stubs if it needs a framework
# that is not here. A block marked ```swift before is code of another library.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

pages=$consumers/pages
rm -rf "$pages"
mkdir -p "$pages/Sources/Pages" "$pages/files" "$pages/stubs"

# Pages that documentation.sh, consumers.sh and the tests of modules compile.
elsewhere=" ComingFromCache ComingFromAsyncStorages ComingFromPingStorage Loading TestingAStorage YourOwnStorage "

code() { sed -n '/^```swift$/,/^```$/{/^```/!p}' "$1"; }

# The pages are functions of one program, so that it is built and linked once.
imports=() names=() calls=()
for page in Documentation/*.md; do
  name=$(basename "$page" .md)
  body=$(code "$page")
  if [ -z "$body" ] || [[ $elsewhere == *" $name "* ]]; then continue; fi
  names+=("$name")
  imports+=($(sed -nE 's/^import (Strata[A-Za-z0-9]*)$/\1/p' <<<"$body"))
  effect=throws
  if grep -q '^[^/]*await' <<<"$(sed -E '/^(func|  func|struct|actor|@|}|  )/d' <<<"$body")"; then effect="async throws"; fi
  calls+=("case \"$name\": try $([ "$effect" = throws ] || echo 'await ')run$name()")
  {
    grep -E '^import ' <<<"$body" | sort -u
    echo "func run$name() $effect {"
    grep -vE '^import ' <<<"$body"
    echo "}"
  } >"$pages/Sources/Pages/$name.swift"
  grep -ohP '// prints: \K.*' "$page" >"$pages/files/$name.expected" || true
done
{
  echo "@main struct Pages {"
  echo "  static func main() async throws {"
  echo "    switch CommandLine.arguments[1] {"
  printf '    %s\n' "${calls[@]}"
  echo "    default: fatalError(\"no such page\")"
  echo "    }"
  echo "  }"
  echo "}"
} >"$pages/Sources/Pages/Pages.swift"
dependencies=
for product in $(printf '%s\n' "${imports[@]}" | sort -u); do
  dependencies+=".product(name: \"$product\", package: \"Strata\"),"
done
cat >"$pages/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Pages",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "../../..")],
  targets: [.executableTarget(name: "Pages", dependencies: [$dependencies])]
)
END

home=$PWD/$pages/home
prints() {
  rm -rf "$home"
  mkdir -p "$home"
  diff <(HOME=$home XDG_CACHE_HOME=$home/caches XDG_DATA_HOME=$home/data TMPDIR=$home "$products/Pages" "$1") \
    "$pages/files/$1.expected"
}
check "the code of ${#names[@]} pages builds" build "$pages"
for name in "${names[@]}"; do check "that of $name runs" prints "$name"; done

# The blocks that are files of their own.
awk -v folder="$pages/files" '
  /^```swift [a-z]/ && $2 != "before" {
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
  check "the file $(basename "$file") of a page type-checks" swiftc "${typecheck[@]}" -I "$pages/stubs" "$file"
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
  sed -n '/^ *```swift$/,/^ *```$/{/^ *```/!p}' Benchmarks/README.md
  echo 'print(timings) }'
} >"$pages/files/benchmark.swift"
check "the code of the benchmarks' page type-checks" swiftc "${typecheck[@]}" "$pages/files/benchmark.swift"

# No page with code is left out.
all() {
  local page
  for page in $(git grep -l '^ *```swift' -- '*.md'); do
    case $page in
    README.md | Benchmarks/README.md | Documentation/*.md | Sources/*/README.md | Plugins/README.md | Plugins/*/README.md) ;;
    *) echo "$page has code that no check compiles" && return 1 ;;
    esac
  done
}
check "all pages with code are checked" all

# The last step of each tutorial runs. That of the service needs a server.
tutorial() {
  local program=$consumers/tutorial port=$((20000 + RANDOM % 10000)) server status=0
  sed "s/6379/$port/" "Documentation/Site/Tutorials/$1" | package "$program" ../../.. "$2"
  # The program uses two products.
  if [ "$2" != Strata ]; then
    sed -i.original 's/dependencies: \[.product/&(name: "Strata", package: "Strata"), .product/' "$program/Package.swift"
  fi
  build "$program" || return
  if [ "$2" = StrataRedis ]; then
    redis-server --port "$port" --bind 127.0.0.1 --save '' --daemonize no >/dev/null &
    server=$!
    for _ in $(seq 100); do redis-cli -p "$port" ping >/dev/null 2>&1 && break; done
  fi
  rm -rf "$home"
  mkdir -p "$home"
  diff <(HOME=$home XDG_CACHE_HOME=$home/caches timeout 60 "$products/App") <(printf '%s\n' "${@:3}") || status=1
  if [ -n "${server:-}" ]; then kill "$server" && wait "$server" || true; fi
  return $status
}
check "the first tutorial runs" tutorial FirstChain/first-chain-7.swift Strata \
  "Ada, visit 1" "Grace is not stored" "visits: 1" "changed: add(key: \"grace\")"
check "the second one runs" tutorial Service/service-4.swift StrataRedis "1 name, 1 read of the database"
