#!/usr/bin/env bash
# Every example runs to its end and leaves no files behind. The examples must have been built.
source "$(dirname "$0")/common.bash"

temporary=$PWD/$consumers/examples
rm -rf "$temporary"
mkdir -p "$temporary"

leavesNothing() { TMPDIR=$temporary "$@" && rmdir "$temporary" && mkdir "$temporary"; }

for source in Examples/Sources/*; do
  example=$(basename "$source")
  check "$example runs" leavesNothing "$products/$example"
done

check "RedisExample runs on a cluster" leavesNothing "$products/RedisExample" cluster
