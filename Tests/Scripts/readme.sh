#!/usr/bin/env bash
# The first program of the README, in a package of its own: it builds, and remembers from one run to the next.
source "$(dirname "$0")/common.bash"

app=$consumers/readme
sed -n '/^```swift$/,/^```$/p;/^```$/q' README.md | sed '/^```/d' | package "$app" ../../.. Strata
caches=$app/caches
rm -rf "$caches"

# The program keeps its entries in the user's caches.
run() { HOME=$PWD/$caches XDG_CACHE_HOME=$PWD/$caches "$app/.build/debug/App"; }
prints() { diff <(run) <(echo "$1"); }

check "the README's first program builds" swift build --package-path "$app"
check "it runs" prints "Ada, visit 1"
check "it remembers" prints "Ada, visit 2"
