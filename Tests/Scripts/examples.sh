#!/usr/bin/env bash
# Every example runs to its end and leaves nothing behind. The examples must have been built.
source "$(dirname "$0")/common.bash"

temporary=$PWD/$consumers/examples
rm -rf "$temporary"
mkdir -p "$temporary"

leavesNothing() { TMPDIR=$temporary "$1" && rmdir "$temporary" && mkdir "$temporary"; }

for source in Examples/Sources/*; do
  example=$(basename "$source")
  check "$example runs" leavesNothing "Examples/.build/debug/$example"
done
