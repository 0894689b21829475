#!/usr/bin/env bash
# The combinator of CONTRIBUTING type-checks, with the variant that is generated from it, and so does its test. The
# package must have been built.
source "$(dirname "$0")/common.bash"

# A block marked ```swift path is that file.
folder=$consumers/contributing
rm -rf "$folder"
awk -v folder="$folder" '
  /^```swift .*\// { file = folder "/" $2; directory = file; sub(/[^\/]*$/, "", directory); system("mkdir -p " directory); next }
  /^```$/ { file = "" }
  file != "" { print >file }
' CONTRIBUTING.md
check "the synchronous variant of CONTRIBUTING's combinator is generated" Tests/twins.py "$folder"

# A combinator sees what the package declares for itself, so it is compiled as a part of it.
package=$(grep -oE '"-module-name","StrataCore",.*"-package-name","[^"]*"' .build/debug.yaml | head -n 1 | sed 's/.*,"//; s/"$//')
check "the combinator and its test type-check" \
  swiftc "${typecheck[@]}" -package-name "$package" $(find "$folder" -name '*.swift')
sed -i 's/StorageLink {/StorageAware {/' "$folder/Sources/StrataAlgebra/Composition/CheckedStorage.swift"
check "as a store that is no link they do not" fails "does not conform to protocol 'StorageAware'" \
  swiftc "${typecheck[@]}" -package-name "$package" $(find "$folder" -name '*.swift')
