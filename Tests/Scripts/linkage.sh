#!/usr/bin/env bash
# A program links only the libraries that it imports. The examples must have been built.
source "$(dirname "$0")/common.bash"

if [ "$(uname)" != Linux ]; then
  echo "skipped linkage: it is checked on Linux"
  exit
fi

# linksNone <program> <library> …: succeeds if none of the libraries is linked, directly or indirectly.
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

# The C libraries of all products, and one that only Foundation may need.
libraries=(libz libsqlite3 liblmdb librocksdb libssl libcrypto libsodium libsecret-1 libkeyutils libzstd liblz4 libpq \
  libcurl libxml2)

# Prints the names of the libraries that a program itself names. `ldd` also prints those that its libraries need: on
# Debian libcurl needs libzstd, so it shows that in every program that uses libcurl.
named() { "$objdump" -p "$1" | awk '$1 == "NEEDED" { sub(/\.so.*/, "", $2); print $2 }'; }
# Of binutils, which Swift for Linux requires; or Swift's own.
objdump=$(command -v objdump || echo "$(dirname "$(readlink -f "$(command -v swiftc)")")/llvm-objdump")

# namesOnly <program> <library> …: succeeds if those are all C libraries of products that the program names.
namesOnly() {
  local program=$1
  shift
  diff <(printf '%s\n' "$@" | sed '/^$/d' | sort) \
    <(named "$program" | grep -xFf <(printf '%s\n' "${libraries[@]}") | sort -u)
}

examples=$products

# Strata itself needs zlib. An example without an entry imports no product that needs a C library.
declare -A own=(
  [AlgebraExample]=libz [CBORExample]=libz [EncryptedCacheExample]="libz libsodium"
  [KeychainExample]="libsodium libsecret-1 libkeyutils" [LMDBExample]=liblmdb [LZ4Example]=liblz4 [LoadingExample]=libz
  [MetricsExample]="libz libssl libcrypto"
  [ObservationExample]="libz libssl libcrypto"
  [PostgresExample]="libz libpq" [Quickstart]=libz [RedisExample]="libz libssl libcrypto" [RocksDBExample]=librocksdb
  [S3Example]="libz libcurl" [SQLiteExample]=libsqlite3 [StreamExample]=libz [ZstdExample]=libzstd
)
for source in Examples/Sources/*; do
  example=$(basename "$source")
  check "$example names ${own[$example]:-no C library}${own[$example]:+, and no other C library}" \
    namesOnly "$examples/$example" ${own[$example]:-}
done

# needsFoundation <module>: succeeds if the module demands Foundation as a whole. In a program that is linked
# statically, that is 44 MB: Foundation, and the tables of ICU.
needsFoundation() { LC_ALL=C grep -qaP -- '-lFoundation\x00' "$products/$1.build"/*.o; }
# Without object files grep ends with 2.
lacksFoundation() { if needsFoundation "$1"; then false; else [ $? = 1 ]; fi; }

check "StrataHTTP demands Foundation, for URLSession" needsFoundation StrataHTTP
modules=$(sed -nE 's/^    \.library\(name: "(\w+)".*/\1/p' Package.swift)
for module in $modules StrataCommand CacheSimulation BenchTraces BenchHarness; do
  case $module in StrataHTTP | StrataServer) continue ;; esac
  check "$module does without Foundation" lacksFoundation "$module"
done

icu=(lib_FoundationICU libFoundationInternationalization libFoundation.so)
check "a program with StrataMemory links no zlib and no ICU" \
  linksNone $examples/MemoryExample libz.so "${icu[@]}"
check "a program with Strata links zlib" links $examples/Quickstart libz.so

engines=(SQLite:libsqlite3.so LMDB:liblmdb.so RocksDB:librocksdb.so)
for engine in "${engines[@]}"; do
  name=${engine%:*} library=${engine#*:}
  # RocksDB needs zlib and other compressors itself; no other engine may.
  others=(libcurl.so libssl.so)
  if [ "$name" != RocksDB ]; then others+=(libz.so); fi
  for other in "${engines[@]}"; do
    if [ "$other" != "$engine" ]; then others+=("${other#*:}"); fi
  done
  check "a program with Strata$name links $library" links "$examples/${name}Example" "$library"
  check "a program with Strata$name links no other engine" \
    linksNone "$examples/${name}Example" "${others[@]}"
done

check "a program with StrataCBOR links no engine" \
  linksNone $examples/CBORExample "${engines[@]#*:}" libcurl.so libssl.so libsodium.so

compressors=(libz.so libzstd.so liblz4.so)
check "a program with StrataZstd links libzstd.so" links $examples/ZstdExample libzstd.so
check "a program with StrataZstd links no other compressor" linksNone $examples/ZstdExample libz.so liblz4.so
check "a program with StrataLZ4 links liblz4.so" links $examples/LZ4Example liblz4.so
check "a program with StrataLZ4 links no other compressor" linksNone $examples/LZ4Example libz.so libzstd.so
check "a program with StrataDisk links no compressor" linksNone $examples/DiskExample "${compressors[@]}"
check "a program with Strata links no libzstd.so and no liblz4.so" \
  linksNone $examples/Quickstart libzstd.so liblz4.so

check "a program with StrataRedis links OpenSSL" links $examples/RedisExample libssl.so
check "a program with StrataRedis links no engine" \
  linksNone $examples/RedisExample libcurl.so libsqlite3.so liblmdb.so librocksdb.so
check "a program with StrataS3 links no engine and no XML library" \
  linksNone $examples/S3Example "${engines[@]#*:}" libsodium.so libxml2.so libFoundationXML.so
check "a program with StrataPostgres links libpq.so" links $examples/PostgresExample libpq.so
check "a program with StrataPostgres links no engine" \
  linksNone $examples/PostgresExample "${engines[@]#*:}"
check "a program without it links no libpq.so" linksNone $examples/RedisExample libpq.so
check "a program with StrataSodium links libsodium.so" links $examples/EncryptedCacheExample libsodium.so
check "a program with StrataSodium links no engine" \
  linksNone $examples/EncryptedCacheExample "${engines[@]#*:}" libcurl.so
check "a program without it links no libsodium.so" linksNone $examples/Quickstart libsodium.so

for library in libsecret-1.so libkeyutils.so libsodium.so; do
  check "a program with StrataKeychain links $library" links $examples/KeychainExample $library
done
check "a program with StrataKeychain links no engine" \
  linksNone $examples/KeychainExample "${engines[@]#*:}" libcurl.so
check "a program without it links no libsecret and no keyutils" \
  linksNone $examples/EncryptedCacheExample libsecret-1.so libkeyutils.so libglib-2.0.so
