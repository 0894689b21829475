#!/usr/bin/env bash
# The code of each page of the documentation is a program: it builds, and prints what it should.
source "$(dirname "$0")/common.bash"

code() { sed -n '/^```swift$/,/^```$/{/^```/!p}' "$1"; }

program=$consumers/documentation
prints() { diff <("$program/.build/debug/App") <(printf '%s\n' "$@"); }

code Documentation/YourOwnStorage.md | package "$program" ../../.. Strata
check "the code of YourOwnStorage builds" swift build --package-path "$program"
check "it runs" prints "level 3" "starts 2" 'stored ["Ada", "Grace"]'
