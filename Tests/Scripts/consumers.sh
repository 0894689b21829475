#!/usr/bin/env bash
# Programs written for Cache, AsyncStorages and PingStorage build with Strata in the language modes of Swift 5 and 6,
# and behave as their authors describe. programs.sh checks the code of the guides for migrating from these libraries.
source "$(dirname "$0")/common.bash"

runs() {
  emptyHome
  atHome "$1"
}

check "the programs for Cache, AsyncStorages and PingStorage build, in the modes of Swift 5 and 6" \
  build Tests/Consumers
for library in Cache AsyncStorages PingStorage; do
  check "what is written for $library runs in the mode of Swift 6" runs "From$library"
  check "and in that of Swift 5" runs "From${library}InSwift5"
done
