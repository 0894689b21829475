#!/usr/bin/env bash
# The README's first program, in a package of its own, builds, runs, and remembers from one run to the
# next. All other code of the README builds with it in front.
source "$(dirname "$0")/common.bash"

first() { sed -n '/^```swift$/,/^```$/{/^```/!p;/^```$/q}' README.md; }

# All code but the first, each piece as a function.
others() {
  echo "import Foundation"
  awk '
    /^```swift$/ { isCode = 1; code = ""; effect = ""; next }
    /^```$/ && isCode {
      isCode = 0
      if (count++) printf "@MainActor func piece%d()%s throws {\n%s}\n", count, effect, code
    }
    isCode && !/^import / { code = code $0 "\n" }
    / await / { effect = " async" }
  ' README.md
}

program=$consumers/readme
first | package "$program" ../../.. Strata
caches=$PWD/$program/caches
rm -rf "$caches"

# The program keeps its entries in the user's caches.
run() { HOME=$caches XDG_CACHE_HOME=$caches "$products/App"; }
prints() { diff <(run) <(echo "$1"); }

check "the README's first program builds" build "$program"
check "it runs" prints "Ada, visit 1"
check "it remembers" prints "Ada, visit 2"

{ first; others; } | package "$program" ../../.. Strata
check "the README's other code builds" build "$program"
