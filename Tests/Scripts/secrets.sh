#!/usr/bin/env bash
# A secret can only be stored encrypted: code that would store it otherwise does not compile. The package must have been
# built.
source "$(dirname "$0")/common.bash"

snippets=$consumers/secrets
rm -rf "$snippets"
mkdir -p "$snippets"

typechecks() {
  swiftc -typecheck -swift-version 6 -I .build/debug/Modules -I Plugins/Sodium/CSodium -I Sources/CZlib \
    -Xcc -fmodule-map-file=.build/debug/CWideHash.build/module.modulemap "$1"
}

# snippet <name>: writes a program that has a secret and a chain, and ends with the code from standard input.
snippet() {
  cat >"$snippets/$1.swift" - <(printf '}\n')
  {
    cat <<'END'
import Foundation
import Strata
import StrataSodium

struct Token: Codable, Sendable { var text: String }

func uses(_ secret: Secret<Token>, _ disk: DiskStorage<String>, _ ring: KeyRing) throws {
END
    cat "$snippets/$1.swift"
  } >"$snippets/$1.whole.swift"
  mv "$snippets/$1.whole.swift" "$snippets/$1.swift"
}

snippet encrypted <<'END'
  let store = Storage(
    front: MemoryStorage<String, TypeWrapper>(), back: disk, transformer: .secret(Token.self, with: ring))
  try store.setObject(secret, forKey: "a")
  let bytes: Transformer<Token> = .codable(Token.self)
  _ = bytes.encrypted(with: ring)
END
check "a secret gets into a chain encrypted" typechecks "$snippets/encrypted.swift"

# refused <what> <the reason that the compiler gives>: checks that a snippet does not compile.
refused() { check "$1 does not compile" fails "$2" typechecks "$snippets/refused.swift"; }

snippet refused <<<'  _ = Transformer.codable(Secret<Token>.self)'
refused "a secret as JSON" "conform to 'Decodable'"
snippet refused <<<'  _ = Transformer.propertyList(Secret<Token>.self)'
refused "a secret as a property list" "conform to 'Decodable'"
snippet refused <<<'  _ = try JSONEncoder().encode(secret)'
refused "an encoder with a secret" "conform to 'Encodable'"
snippet refused <<<'  _ = try JSONEncoder().encode([secret])'
refused "an encoder with secrets in an array" "conform to 'Encodable'"
snippet refused <<<'  struct Holder: Codable { var secret: Secret<Token> }'
refused "a codable type with a secret in it" "does not conform to protocol 'Encodable'"
snippet refused <<<'  _ = disk.transform(to: Secret<Token>.self)'
refused "a store of secrets as JSON" "no exact matches in call to instance method 'transform'"
snippet refused <<<'  _ = Transformer<Secret<Token>>.secret(Token.self)'
refused "a transformer of secrets without a key" "missing argument for parameter 'with'"
snippet refused <<<'  try disk.setObject(secret, forKey: "a")'
refused "a secret in a store of bytes" "cannot convert value of type 'Secret<Token>'"
snippet refused <<<'  let text: String = secret.bytes'
refused "the memory of a secret" "'bytes' is inaccessible"
snippet refused <<<'  _ = try JSONEncoder().encode(ring.newest)'
refused "an encoder with a key" "conform to 'Encodable'"
