import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofValues = [
    Fault(.reading, "finds no expiry", "objectExists answers false") { $0.readExpiry = { _ in nil } },
    Fault(.reading, "reads in batches what was written first", "entries(forKeys:) gives") { bent in
      bent.readMany = { Dictionary(uniqueKeysWithValues: $0.map { ($0, Entry(object: Data("zero".utf8))) }) }
    },
    Fault(.reading, "has only the last key", "after a write of another key") { bent in
      let base = bent.base
      bent.write = {
        try await base.removeAll()
        try await base.setObject($0, forKey: $1, expiry: $2)
      }
    },
    Fault(.reading, "dates what has no expiry", "the entry has date") { bent in
      bent.beforeWrites { ($0, $1 ?? .date(Date(timeIntervalSince1970: 2e9))) }
    },
    Fault(.absence, "an empty value for what is absent", "entryIfPresent gives 0 bytes") { bent in
      let base = bent.base
      bent.read = { try await base.entryIfPresent(forKey: $0) ?? Entry(object: Data()) }
    },
    Fault(.absence, "an error for what is absent", "it threw backendFailed") { bent in
      let base = bent.base
      bent.read = {
        guard let entry = try await base.entryIfPresent(forKey: $0) else { throw StorageError.backendFailed }
        return entry
      }
    },
    Fault(.absence, "finds keys by their beginning", "holds only the key \"a\"") { bent in
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
    Fault(.overwriting, "a shorter value leaves the end of a longer one", "after overwrite 2") { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        let old = try await base.entryIfPresent(forKey: key)?.object ?? Data()
        try await base.setObject(value + old.dropFirst(value.count), forKey: key, expiry: expiry)
      }
    },
    Fault(.overwriting, "replaces nothing", "after replaceObject, entryIfPresent gives") {
      $0.replace = { _, _, _ in }
    },
    Fault(.overwriting, "forgets the expiry of what it replaces", "after replaceObject, an entry has") {
      bent in
      let base = bent.base
      bent.replace = { object, key, _ in try await base.setObject(object, forKey: key, expiry: nil) }
    },
    Fault(.overwriting, "keeps the first expiry", "after .never took the place") { bent in
      let base = bent.base
      bent.write = { value, key, expiry in
        let old = try await base.expiryIfPresent(forKey: key)
        try await base.setObject(value, forKey: key, expiry: old == .never ? expiry : old ?? expiry)
      }
    },
    Fault(.removing, "to remove what is absent is an error", "to remove what is absent threw notFound") {
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
    Fault(.removing, "removes its neighbours", "after the removal of another key") { bent in
      let base = bent.base
      bent.remove = { key in
        for other in try await base.keys() where other <= key { try await base.removeObject(forKey: other) }
      }
    },
    Fault(.removing, "never forgets a removal", "after removal and another write") { bent in
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
      .removingAll, "removes what it lists, but not what has expired and is listed again", "after removeAll 0"
    ) { bent in
      let base = bent.base
      bent.removeEverything = {
        for key in try await base.keys().dropLast() { try await base.removeObject(forKey: key) }
      }
    },
    Fault(.removingAll, "cannot be used on", "it threw deallocated") { bent in
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
    Fault(.anyValue, "takes an empty value for none", "\"empty\", and not 0 bytes") { bent in
      bent.afterReads { $0.object.isEmpty ? nil : $0 }
    },
    Fault(.anyValue, "ends a value at its first zero", "of many kinds of values") { bent in
      bent.beforeWrites { ($0.prefix { $0 != 0 }, $1) }
    },
    Fault(.anyValue, "takes bytes for text", "of many kinds of values") { bent in
      bent.beforeWrites { (Data(String(decoding: $0, as: UTF8.self).utf8), $1) }
    },
    Fault(.anyValue, "has 16 bits for a length", "of many kinds of values") { bent in
      bent.beforeWrites { ($0.prefix($0.count & 0xFFFF), $1) }
    },
    Fault(.hugeValue, "cuts values at 16 MiB", "gives 16777216 bytes") { bent in
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
