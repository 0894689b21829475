import Foundation
import StrataCore
import StrataTestKit

/// Faults in features that authors easily overlook: empty batches, a cache beside the store, listings in pages.
extension Fault {
  static let ofNeglect = [
    Fault(.overwriting, "returns the previous expiry", "expiryIfPresent answers") { bent in
      let (base, last, before) = (bent.base, Shared<[String: Expiry]>([:]), Shared<[String: Expiry]>([:]))
      bent.write = { value, key, expiry in
        try await base.setObject(value, forKey: key, expiry: expiry)
        let new = (expiry ?? .never).resolved(by: base.clock)
        let old = last.change { $0.updateValue(new, forKey: key) }
        before.change { $0[key] = old }
      }
      bent.readExpiry = { key in
        let expiry = try await base.expiryIfPresent(forKey: key)
        guard let old = before.value[key], expiry?.isExpired(by: base.clock) == false else { return expiry }
        return old.isExpired(by: base.clock) ? expiry : old
      }
    },
    Fault(.anyValue, "returns a part of its buffer", "the indices of a value begin at 4") { bent in
      bent.afterReads { Entry(object: (Data("head".utf8) + $0.object).dropFirst(4), expiry: $0.expiry) }
    },
    Fault(.anyValue, "takes the end of a slice for its length", "of many kinds of values") { bent in
      bent.beforeWrites { value, expiry in (Data(value.dropLast(value.startIndex)), expiry) }
    },
    Fault(.batches, "removes all entries with an empty batch", "after removeObjects(forKeys: [])") { bent in
      let base = bent.base
      bent.removeMany = {
        $0.isEmpty ? try await base.removeAll() : try await base.removeObjects(forKeys: $0)
      }
    },
    Fault(.batches, "replaces all entries by an empty batch", "after setObjects([:])") { bent in
      let base = bent.base
      bent.writeMany = { objects, expiry in
        if objects.isEmpty { try await base.removeAll() }
        try await base.setObjects(objects, expiry: expiry)
      }
    },
    Fault(.batches, "reads all entries for an empty list of keys", "entries(forKeys: []) gives") { bent in
      let base = bent.base
      bent.readMany = { try await base.entries(forKeys: $0.isEmpty ? base.keys() : $0) }
    },
    Fault(.batches, "keeps old values in its cache after a batch", "of a key that was read") { bent in
      let (base, cache) = (bent.base, Shared<[String: Entry<Data>]>([:]))
      bent.read = { key in
        // A value stored by a single write is up to date.
        if let entry = cache.value[key], key == "outside" || key == "7" { return entry }
        let entry = try await base.entryIfPresent(forKey: key)
        if key == "outside" { cache.change { $0[key] = entry } }
        return entry
      }
      bent.write = { value, key, expiry in
        try await base.setObject(value, forKey: key, expiry: expiry)
        cache.change { $0[key] = nil }
      }
    },
    Fault(.updating, "removes a value that an update made empty", "after an update to an empty value") {
      bent in
      let (base, change) = (bent.base, bent.change)
      bent.change = { key, modify in
        let value = try await change(key, modify)
        if value.isEmpty { try await base.removeObject(forKey: key) }
        return value
      }
    },
    Fault(
      .updating, "its check has not ended after 1.0 s",
      Subject("holds a lock during an update that the closure needs", timeLimit: 1) {
        Locking(Reference(at: $0))
      }),
    Fault(.parallelKeys, "lists keys by position during changes", "keys() lacks") { bent in
      let base = bent.base
      bent.list = {
        var (listed, offset) = ([String](), 0)
        while true {
          let page = try await base.keys().sorted().dropFirst(offset).prefix(3)
          if page.isEmpty { return listed }
          listed += page
          offset += page.count
          await Task.yield()
        }
      }
    },
    Fault(.parallelKeys, "lists a key again after a write has moved it", "keys() lists a key twice") { bent in
      let base = bent.base
      bent.list = {
        let keys = try await base.keys().sorted()
        await Task.yield()
        return try await base.keys() == keys || keys.isEmpty ? keys : keys + [keys[keys.count - 1]]
      }
    },
  ]
}

/// A correct store with one lock around each operation, updates included.
private final class Locking: SyncUpdateableStorage, SyncSimpleStorage {
  private let base: Reference
  private let lock = DispatchSemaphore(value: 1)

  init(_ base: Reference) { self.base = base }

  private func locked<R>(_ body: () throws -> R) rethrows -> R {
    lock.wait()
    defer { lock.signal() }
    return try body()
  }

  var clock: StorageClock { base.clock }
  func entryIfPresent(forKey key: String) throws -> Entry<Data>? {
    try locked { try base.entryIfPresent(forKey: key) }
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    try locked { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func removeObject(forKey key: String) throws { try locked { try base.removeObject(forKey: key) } }
  func removeAll() throws { try locked { try base.removeAll() } }
  func removeExpiredObjects() throws { try locked { try base.removeExpiredObjects() } }
  func keys() throws -> [String] { try locked { try base.keys() } }
  func update(forKey key: String, _ modify: (inout Data) throws -> Void) throws -> Data {
    try locked { try base.update(forKey: key, modify) }
  }
}
