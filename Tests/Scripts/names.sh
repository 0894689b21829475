#!/usr/bin/env bash
# The public names that programs rely on compile. The compiler says of names of Cache and AsyncStorages what they are
# called here, and what to write in place of a newcomer's first mistakes. The package must have been built.
source "$(dirname "$0")/common.bash"

check "names of Cache and AsyncStorages work, and the compiler says which ones to write" \
  says Tests/Consumers/Messages/FormerNames.swift
check "it says what types of AsyncStorages are without the aliases of the guide" \
  says Tests/Consumers/Messages/AsyncStoragesTypes.swift
check "it says what to write instead of a newcomer's first mistakes" says Tests/Consumers/Messages/FirstHour.swift
check "the public names compile" swiftc "${typecheck[@]}" Tests/Consumers/Names/PublicNames.swift
