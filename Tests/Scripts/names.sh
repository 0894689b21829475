#!/usr/bin/env bash
# The public names that programs rely on compile. The compiler says of names of Cache and AsyncStorages what they are
# called here. The package must have been built.
source "$(dirname "$0")/common.bash"

# says <file>: each line that ends with `// says: text` has a warning, an error or a note with that text.
says() {
  local file=$1 number text output
  output=$(swiftc -typecheck -swift-version 6 -diagnostic-style llvm -I .build/debug/Modules -I Sources/CZlib \
    -Xcc -fmodule-map-file=.build/debug/CWideHash.build/module.modulemap "$file" 2>&1) || true
  while IFS=: read -r number text; do
    text=${text#*// says: }
    if ! grep -F "$file:$number:" <<<"$output" | grep -qF -- "$text"; then
      printf '%s:%s: the compiler does not say: %s\n%s\n' "$file" "$number" "$text" "$output"
      return 1
    fi
  done < <(grep -n '// says: ' "$file" | sed 's/^\([0-9]*\):.*\/\/ says: /\1:\/\/ says: /')
}

check "names of Cache and AsyncStorages work, and the compiler says which ones to write" \
  says Tests/Consumers/Messages/FormerNames.swift
check "it says what types of AsyncStorages are without the aliases of the guide" \
  says Tests/Consumers/Messages/AsyncStoragesTypes.swift
check "the public names compile" swiftc "${typecheck[@]}" Tests/Consumers/Names/PublicNames.swift
