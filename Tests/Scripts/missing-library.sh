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

# One package in turn, so that the core is built once.
app() { package "$folder/app" ../Strata "$1"; }
build=(swift build --disable-build-manifest-caching --package-path "$folder/app")

app StrataMemory <<'END'
import StrataMemory
try MemoryStorage<String, Int>().setObject(1, forKey: "a")
END
check "StrataMemory builds where zlib and zstd are missing" "${build[@]}"

app StrataLZ4 <<'END'
import StrataLZ4
print(try ByteTransformer.lz4().encode(.init()).count)
END
check "StrataLZ4 does" "${build[@]}"

app StrataZlib <<'END'
import StrataZlib
print(ByteTransformer.zlibMaximumSize)
END
check "StrataZlib does not" fails "no-such-zlib.h" "${build[@]}"

app StrataZstd <<'END'
import StrataZstd
print(try ByteTransformer.zstd().encode(.init()).count)
END
check "StrataZstd does not" fails "no-such-zstd.h" "${build[@]}"
