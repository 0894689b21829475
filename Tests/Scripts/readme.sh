#!/usr/bin/env bash
# The README's first program, in a package of its own, builds, runs, and finds its entries again in the next run. All
# other code of the README builds with the first program in front.
source "$(dirname "$0")/common.bash"

first() { sed -n '/^```swift$/,/^```$/{/^```/!p;/^```$/q}' README.md; }

# Prints all code but the first block, each block as a function.
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

# The program stores its entries in the user's caches folder.
run() { HOME=$caches XDG_CACHE_HOME=$caches "$products/App"; }
prints() { diff <(run) <(echo "$1"); }

check "the README's first program builds" build "$program"
check "it runs" prints "Ada, visit 1"
check "it remembers" prints "Ada, visit 2"

{ first; others; } | package "$program" ../../.. Strata
check "the README's other code builds" build "$program"
