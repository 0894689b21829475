#!/usr/bin/env bash
# A product builds on a machine without the C library of another product: here a copy of the package requires a zlib
# that does not exist.
source "$(dirname "$0")/common.bash"

folder=$consumers/missing-library
rm -rf "$folder/Strata"
mkdir -p "$folder/Strata"
cp -a Package.swift Sources Plugins Tests "$folder/Strata"
sed -i.original 's/pkgConfig: "zlib"/pkgConfig: "no-such-zlib"/' "$folder/Strata/Package.swift"
echo '#include <no-such-zlib.h>' >"$folder/Strata/Sources/CZlib/shim.h"

package "$folder/memory" ../Strata StrataMemory <<'END'
import StrataMemory
try MemoryStorage<String, Int>().setObject(1, forKey: "a")
END
package "$folder/zlib" ../Strata StrataZlib <<'END'
import StrataZlib
print(ByteTransformer.zlibMaximumSize)
END

check "StrataMemory builds where zlib is missing" swift build --package-path "$folder/memory"
check "StrataZlib does not" fails "no-such-zlib.h" swift build --package-path "$folder/zlib"
