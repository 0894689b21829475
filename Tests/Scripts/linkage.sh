#!/usr/bin/env bash
# A program links what it imports and no more. The examples must have been built.
source "$(dirname "$0")/common.bash"

if [ "$(uname)" != Linux ]; then
  echo "skipped linkage: it is checked on Linux"
  exit
fi

# linksNone <program> <library> …: none of the libraries is linked, also not by way of another.
linksNone() {
  local program=$1 library linked
  shift
  linked=$(ldd "$program") || return
  if grep 'not found' <<<"$linked"; then return 1; fi
  for library; do
    if grep -F "$library" <<<"$linked"; then return 1; fi
  done
}

links() { ldd "$1" | grep -F "$2"; }

examples=Examples/.build/debug
icu=(lib_FoundationICU libFoundationInternationalization libFoundation.so)
check "a program with StrataMemory links no zlib and no ICU" \
  linksNone $examples/MemoryExample libz.so "${icu[@]}"
check "a program with StrataDisk links no zlib" linksNone $examples/DiskExample libz.so
check "a program with Strata links zlib" links $examples/Quickstart libz.so
check "a program with StrataRocksDB links RocksDB" links $examples/RocksDBExample librocksdb.so
check "a program with StrataRocksDB links no other engine" \
  linksNone $examples/RocksDBExample libsqlite3.so liblmdb.so
