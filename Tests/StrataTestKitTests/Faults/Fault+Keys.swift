import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofKeys = [
    Fault(.anyKey, "ignores the case of keys", "\"key\"") { $0.rename { $0.lowercased() } },
    Fault(.anyKey, "ignores spaces at the ends of keys", "\"\"") { bent in
      bent.rename { $0.trimmingCharacters(in: .whitespaces) }
    },
    Fault(.anyKey, "truncates keys at a NUL", "\"\"") { bent in
      bent.rename { String($0.prefix { $0 != "\0" }) }
    },
    Fault(.anyKey, "truncates keys to 511 bytes", "kkkk") { bent in bent.rename { String($0.prefix(511)) } },
    Fault(.anyKey, "parses keys as numbers", "\"0\"") { bent in bent.rename { Int($0).map(String.init) ?? $0 }
    },
    Fault(.anyKey, "treats compatible characters as equal", "\"ﬁ\"") { bent in
      bent.rename { $0.precomposedStringWithCompatibilityMapping }
    },
    Fault(.anyKey, "refuses an empty key", "the key \"\" threw backendFailed") { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        if key.isEmpty { throw StorageError.backendFailed }
        try await base.setObject(value, forKey: key, expiry: expiry)
      }
    },
    Fault(.anyKey, "lists slashes as colons", "keys() lacks") { bent in
      let base = bent.base
      bent.list = { try await base.keys().map { $0.replacingOccurrences(of: "/", with: ":") } }
    },
    Fault(.equalKeys, "compares keys by their bytes", "under an equal text composed differently") { bent in
      bent.rename(
        { key in key.utf8.map { "\($0) " }.joined() },
        back: { key in
          String(decoding: key.split(separator: " ").compactMap { UInt8($0) }, as: UTF8.self)
        })
    },
    Fault(.keys, "lists expired keys", "keys() lists 1 too many, among them \"past\"") { bent in
      let (base, known) = (bent.base, Shared<Set<String>>([]))
      bent.write = { value, key, expiry in
        try await base.setObject(value, forKey: key, expiry: expiry)
        known.change { _ = $0.insert(key) }
      }
      bent.remove = { key in
        try await base.removeObject(forKey: key)
        known.change { _ = $0.remove(key) }
      }
      bent.list = { Array(known.value) }
    },
    Fault(.keys, "lists no keys", "keys() lacks 1 of 1, among them \"one\"") { $0.list = { [] } },
    Fault(.keys, "lists a key twice", "keys() lists a key twice") { bent in
      let base = bent.base
      bent.list = { try await base.keys() + base.keys().prefix(1) }
    },
    Fault(.keys, "lists keys under other names", "keys() lacks") { bent in
      bent.rename { Data($0.utf8).base64EncodedString() }
    },
    Fault(.keys, "does not list keys with an expiry", "keys() lacks") { bent in
      let base = bent.base
      bent.list = {
        var keys: [String] = []
        for key in try await base.keys() where try await base.expiryIfPresent(forKey: key) == .never {
          keys.append(key)
        }
        return keys
      }
    },
    Fault(.manyKeys, "lists only a page of keys", "keys() lists 1000") { bent in
      let base = bent.base
      bent.list = { Array(try await base.keys().prefix(1000)) }
    },
    Fault(.manyKeys, "counts entries in 16 bits", "keys() lists 65536") { bent in
      let base = bent.base
      bent.writeMany = {
        try await base.setObjects(
          Dictionary(uniqueKeysWithValues: $0.prefix(65_536).map { ($0, $1) }), expiry: $1)
      }
    },
    Fault(.sortedKeys, "lists the last key first", "keys() gives") { bent in
      let base = bent.base
      bent.list = { try await base.keys().reversed() }
    },
    Fault(.sortedKeys, "sorts without regard to case", "keys() gives") { bent in
      let base = bent.base
      bent.list = { try await base.keys().sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) } }
    },
  ]
}
