#!/usr/bin/env bash
# A product builds on a machine without the C library of another product: here a copy of the package requires a zlib
# and a zstd that do not exist.
source "$(dirname "$0")/common.bash"

folder=$consumers/missing-library
rm -rf "$folder/Strata"
mkdir -p "$folder/Strata"
cp -a Package.swift Sources Plugins Tests "$folder/Strata"
sed -i.original 's/pkgConfig: "zlib"/pkgConfig: "no-such-zlib"/; s/pkgConfig: "libzstd"/pkgConfig: "no-such-zstd"/' \
  "$folder/Strata/Package.swift"
echo '#include <no-such-zlib.h>' >"$folder/Strata/Sources/CZlib/shim.h"
echo '#include <no-such-zstd.h>' >"$folder/Strata/Plugins/Zstd/CZstd/shim.h"

# A module's imports decide whether it builds here. The rest of its sources is left out: the core alone would take a
# minute of a processor to compile again.
for module in "$folder"/Strata/Sources/Strata* "$folder"/Strata/Plugins/*/Sources; do
  imports=$(grep -rhE --include='*.swift' '^ *(@\w+ |[a-z]+ )*import (C[A-Z]|Strata)\w*$' "$module" | sort -u) || true
  find "$module" -name '*.swift' -delete
  sed 's/.*import /import /' <<<"$imports" >"$module/Imports.swift"
done

# builds <product>: builds a program that imports the product. One package in turn builds the core only once.
builds() {
  package "$folder/app" ../Strata "$1" <<<"import $1"
  swift build --disable-build-manifest-caching --package-path "$folder/app"
}

check "StrataMemory builds where zlib and zstd are missing" builds StrataMemory
check "StrataLZ4 does" builds StrataLZ4
check "StrataZlib does not" fails "no-such-zlib.h" builds StrataZlib
check "StrataZstd does not" fails "no-such-zstd.h" builds StrataZstd
