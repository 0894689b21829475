import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofValues = [
    Fault(.reading, "returns no expiry", "objectExists answers false") {
      $0.readExpiry = { _ in nil }
    },
    Fault(.reading, "returns the first written value in batches", "entries(forKeys:) gives") { bent in
      bent.readMany = { Dictionary(uniqueKeysWithValues: $0.map { ($0, Entry(object: Data("zero".utf8))) }) }
    },
    Fault(.reading, "keeps only the last key", "after a write of another key") { bent in
      let base = bent.base
      bent.write = {
        try await base.removeAll()
        try await base.setObject($0, forKey: $1, expiry: $2)
      }
    },
    Fault(.reading, "gives entries without an expiry a date", "the entry has date") { bent in
      bent.beforeWrites { ($0, $1 ?? .date(Date(timeIntervalSince1970: 2e9))) }
    },
    Fault(.absence, "returns an empty value for an absent key", "entryIfPresent gives 0 bytes") { bent in
      let base = bent.base
      bent.read = { try await base.entryIfPresent(forKey: $0) ?? Entry(object: Data()) }
    },
    Fault(.absence, "throws for an absent key", "it threw backendFailed") { bent in
      let base = bent.base
      bent.read = {
        guard let entry = try await base.entryIfPresent(forKey: $0) else { throw StorageError.backendFailed }
        return entry
      }
    },
    Fault(.absence, "finds keys by a prefix", "holds only the key \"a\"") { bent in
      bent.rename { String($0.prefix(1)) }
    },
    Fault(.overwriting, "keeps the first value", "after overwrite 1") { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        if try await base.entryIfPresent(forKey: key) == nil {
          try await base.setObject(value, forKey: key, expiry: expiry)
        }
      }
    },
    Fault(.overwriting, "leaves the end of a longer old value", "after overwrite 2") { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        let old = try await base.entryIfPresent(forKey: key)?.object ?? Data()
        try await base.setObject(value + old.dropFirst(value.count), forKey: key, expiry: expiry)
      }
    },
    Fault(.overwriting, "ignores replaceObject", "after replaceObject, entryIfPresent gives") {
      $0.replace = { _, _, _ in }
    },
    Fault(.overwriting, "removes the expiry in replaceObject", "after replaceObject, an entry has") {
      bent in
      let base = bent.base
      bent.replace = { object, key, _ in try await base.setObject(object, forKey: key, expiry: nil) }
    },
    Fault(.overwriting, "keeps the first expiry", "after .never replaced") { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        let old = try await base.expiryIfPresent(forKey: key)
        try await base.setObject(value, forKey: key, expiry: old == .never ? expiry : old ?? expiry)
      }
    },
    Fault(.removing, "throws when removing an absent key", "removing an absent key threw notFound") {
      bent in
      let base = bent.base
      bent.remove = {
        guard try await base.objectExists(forKey: $0) else { throw StorageError.notFound }
        try await base.removeObject(forKey: $0)
      }
    },
    Fault(.removing, "removes nothing", "after removal, entryIfPresent gives 1 bytes") {
      $0.remove = { _ in }
    },
    Fault(.removing, "removes lower keys too", "after the removal of another key") { bent in
      let base = bent.base
      bent.remove = { key in
        for other in try await base.keys() where other <= key { try await base.removeObject(forKey: other) }
      }
    },
    Fault(.removing, "keeps a removed key removed for ever", "after removal and another write") { bent in
      let (base, removed) = (bent.base, Shared<Set<String>>([]))
      bent.remove = { key in
        try await base.removeObject(forKey: key)
        removed.change { _ = $0.insert(key) }
      }
      bent.write = { value, key, expiry in
        if !removed.value.contains(key) { try await base.setObject(value, forKey: key, expiry: expiry) }
      }
    },
    Fault(
      .removingAll, "removes all keys but one", "after removeAll 0"
    ) { bent in
      let base = bent.base
      bent.removeEverything = {
        for key in try await base.keys().dropLast() { try await base.removeObject(forKey: key) }
      }
    },
    Fault(.removingAll, "is unusable afterwards", "it threw deallocated") { bent in
      let (base, isOver) = (bent.base, Shared(false))
      bent.removeEverything = {
        try await base.removeAll()
        isOver.change { $0 = true }
      }
      bent.write = {
        if isOver.value { throw StorageError.deallocated }
        try await base.setObject($0, forKey: $1, expiry: $2)
      }
    },
    Fault(.anyValue, "treats an empty value as absent", "\"empty\", and not 0 bytes") { bent in
      bent.afterReads { $0.object.isEmpty ? nil : $0 }
    },
    Fault(.anyValue, "truncates values at a zero byte", "of many kinds of values") { bent in
      bent.beforeWrites { ($0.prefix { $0 != 0 }, $1) }
    },
    Fault(.anyValue, "converts values to text", "of many kinds of values") { bent in
      // Not those of a megabyte, which take seconds.
      bent.beforeWrites { ($0.count > 70_000 ? $0 : Data(String(decoding: $0, as: UTF8.self).utf8), $1) }
    },
    Fault(.anyValue, "stores lengths in 16 bits", "of many kinds of values") { bent in
      bent.beforeWrites { ($0.prefix($0.count & 0xFFFF), $1) }
    },
    Fault(.hugeValue, "truncates values to 16 MiB", "gives 16777216 bytes") { bent in
      bent.beforeWrites { ($0.prefix(16 << 20), $1) }
    },
    Fault(.hugeValue, "mixes up the blocks of a value", "for the key \"huge\"") { bent in
      bent.beforeWrites { value, expiry in
        if value.count < 1 << 20 { return (value, expiry) }
        return (
          value[131_072..<196_608] + value[65_536..<131_072] + value[131_072...] + value[..<65_536], expiry
        )
      }
    },
  ]
}
