// Ways to store a secret that is not encrypted, or to read the bytes of one. None of them compiles: each line ends with
// a part of the compiler's error for the line, as Tests/Scripts/secrets.sh checks.
import Foundation
import Strata
import StrataSodium

struct Token: Codable, Sendable { var text: String }

func uses(_ secret: Secret<Token>, _ disk: DiskStorage<String>, _ ring: KeyRing) throws {
  // JSON and property lists.
  _ = Transformer.codable(Secret<Token>.self)  // says: does not conform to Codable
  _ = Transformer.propertyList(Secret<Token>.self)  // says: conform to 'Decodable'
  _ = try JSONEncoder().encode(secret)  // says: conform to 'Encodable'
  _ = try JSONEncoder().encode([secret])  // says: conform to 'Encodable'
  struct Holder: Codable { var secret: Secret<Token> }  // says: does not conform to protocol 'Encodable'

  // Stores without a key.
  _ = disk.transform(to: Secret<Token>.self)  // says: no exact matches in call to instance method 'transform'
  _ = Transformer<Secret<Token>>.secret(Token.self)  // says: missing argument for parameter 'with'
  try disk.setObject(secret, forKey: "a")  // says: cannot convert value of type 'Secret<Token>'

  // The memory of a secret, and a key.
  let text: String = secret.bytes  // says: 'bytes' is inaccessible
  _ = try JSONEncoder().encode(ring.newest)  // says: conform to 'Encodable'
}
