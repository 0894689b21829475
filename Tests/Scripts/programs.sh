#!/usr/bin/env bash
# The programs on the pages build, and print what the pages say: the README's, those of the tour, the guides and the
# recipes, and the last step of each tutorial. They are targets of one package, so that one build is planned for all.
# The package must have been built.
#
# On a page the blocks marked ```swift are one program, and a comment `// prints: text` is a line of its output.
# pages.sh checks the other blocks.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

programs=$consumers/programs
rm -rf "$programs"
mkdir -p "$programs/expected"

# program <name> <product> …: adds a program, whose source is read from standard input unless it is there.
program() {
  local folder=$programs/Sources/$1 name=$1 product dependencies=
  shift
  mkdir -p "$folder"
  [ -n "$(ls "$folder")" ] || cat >"$folder/main.swift"
  for product; do dependencies+=".product(name: \"$product\", package: \"Strata\"), "; done
  # A file, since a pipe runs this in a process of its own.
  echo "    .executableTarget(name: \"$name\", dependencies: [$dependencies])," >>"$programs/targets"
}

# Prints the products that a program imports.
products() { sed -nE 's/^import (Strata[A-Za-z0-9]*)$/\1/p' | sort -u; }

# The README's first program, and behind it all other code of the README and of the tour, each block as a function. The
# tour begins with the same store.
first() { sed -n '/^```swift$/,/^```$/{/^```/!p;/^```$/q}' README.md; }
others() {
  echo "import Foundation"
  awk '
    FNR == 1 { blocks = 0 }
    /^```swift$/ { isCode = 1; code = ""; effect = ""; next }
    /^```$/ && isCode {
      isCode = 0
      if (blocks++) printf "@MainActor func piece%d()%s throws {\n%s}\n", ++count, effect, code
    }
    isCode && !/^import / { code = code $0 "\n" }
    / await / { effect = " async" }
  ' README.md Documentation/Tour.md
}
first | program ReadmeFirst Strata
{ first; others; } | program Tour Strata

# Pages that are a program of their own: what they print stands below.
whole=(ComingFromCache ComingFromAsyncStorages ComingFromPingStorage Loading YourOwnStorage InAnApp)
for name in "${whole[@]}"; do
  body=$(code "Documentation/$name.md")
  program "$name" Strata $(products <<<"$body" | grep -vx Strata) <<<"$body"
done

# The other pages are functions of one program, so that it is linked once. The afternoon of TestingAStorage is checked
# by documentation.sh.
pages=$programs/Sources/Pages
mkdir -p "$pages"
imports=() names=() calls=()
for page in Documentation/*.md; do
  name=$(basename "$page" .md)
  body=$(code "$page")
  if [ -z "$body" ] || [[ " ${whole[*]} TestingAStorage Tour " == *" $name "* ]]; then continue; fi
  names+=("$name")
  imports+=($(products <<<"$body"))
  effect=throws
  if grep -q '^[^/]*await' <<<"$(sed -E '/^(func|  func|struct|actor|@|}|  )/d' <<<"$body")"; then
    effect="async throws"
  fi
  calls+=("case \"$name\": try $([ "$effect" = throws ] || echo 'await ')run$name()")
  {
    grep -E '^import ' <<<"$body" | sort -u
    echo "func run$name() $effect {"
    grep -vE '^import ' <<<"$body"
    echo "}"
  } >"$pages/$name.swift"
  grep -ohP '// prints: \K.*' "$page" >"$programs/expected/$name" || true
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
} >"$pages/Pages.swift"
program Pages $(printf '%s\n' "${imports[@]}" | sort -u)

port=$((20000 + RANDOM % 10000))
tutorials=Documentation/Site/Tutorials
program FirstChain Strata <"$tutorials/FirstChain/first-chain-7.swift"
sed "s/6379/$port/" "$tutorials/Service/service-4.swift" | program Service Strata StrataRedis

cat >"$programs/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Programs",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "../../..")],
  targets: [
$(cat "$programs/targets")
  ]
)
END
check "the programs of the README, the guides, the recipes and the tutorials build" build "$programs"

# prints <program> <line> …: runs a program without earlier files, and compares what it prints.
prints() {
  local program=$1
  shift
  emptyHome
  diff <(atHome "$program") <(printf '%s\n' "$@")
}
remembers() { diff <(atHome ReadmeFirst) <(echo "Ada, visit 2"); }
check "the README's first program runs" prints ReadmeFirst "Ada, visit 1"
check "it remembers" remembers

check "the code of ComingFromCache runs" prints ComingFromCache '["user"]'
check "that of ComingFromAsyncStorages runs" prints ComingFromAsyncStorages "Kharkiv 2800000" 'Lviv ["lviv?"] false'
check "that of ComingFromPingStorage runs" prints ComingFromPingStorage first second safe third fourth
check "that of YourOwnStorage runs" prints YourOwnStorage "parcel books and a pen" "level 3" "starts 2" \
  'stored ["Ada", "Grace"]' "theme darker" "frames [1, 1, 2, 2]" "first Ada" "now Grace"
check "that of Loading runs" prints Loading "user ada, read 1" "user grace, read 2" "user grace, read 3" "user grace, read 3" \
  "user joan, read 4" "user joan, read 4" "1 1" "nothing" "a default" "false" "false" "5" "true" "0" "2 0"

mapfile -t lines < <(grep -ohP '// prints: \K.*' Documentation/InAnApp.md)
check "that of InAnApp runs" prints InAnApp "${lines[@]}"

page() {
  emptyHome
  diff <(atHome Pages "$1") "$programs/expected/$1"
}
for name in "${names[@]}"; do check "that of $name runs" page "$name"; done

check "the first tutorial runs" prints FirstChain "Ada, visit 1" "Grace is not stored" "visits: 1" \
  "changed: add(key: \"grace\")"
service() {
  local server status=0
  redis-server --port "$port" --bind 127.0.0.1 --save '' --daemonize no >/dev/null &
  server=$!
  for _ in $(seq 100); do redis-cli -p "$port" ping >/dev/null 2>&1 && break; done
  prints Service "1 name, 1 read of the database" || status=1
  kill "$server" && wait "$server" || true
  return $status
}
check "the second one runs" service
