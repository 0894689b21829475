#!/usr/bin/env bash
# A secret can only be stored encrypted: code that would store it otherwise does not compile. The package must have been
# built.
source "$(dirname "$0")/common.bash"

snippet=$consumers/encrypted.swift
cat >"$snippet" <<'END'
import Foundation
import Strata
import StrataSodium

struct Token: Codable, Sendable { var text: String }

func uses(_ secret: Secret<Token>, _ disk: DiskStorage<String>, _ ring: KeyRing) throws {
  let store = Storage(
    front: MemoryStorage<String, TypeWrapper>(), back: disk, transformer: .secret(Token.self, with: ring))
  try store.setObject(secret, forKey: "a")
  let bytes: Transformer<Token> = .codable(Token.self)
  _ = bytes.encrypted(with: ring)
}
END
check "a secret gets into a chain encrypted" swiftc "${typecheck[@]}" "$snippet"
check "no other way to store one compiles: $(grep -c '// says: ' Tests/Consumers/Messages/Secrets.swift) are tried" \
  says Tests/Consumers/Messages/Secrets.swift -I Plugins/Sodium/CSodium
