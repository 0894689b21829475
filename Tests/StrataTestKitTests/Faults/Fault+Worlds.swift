import Foundation
import StrataCore
import StrataTestKit
import TestSupport

/// A store that inherits asynchronous variants of its batch functions: with `await`, the compiler chooses these.
private protocol Hasty: SyncStorageAware where Key == String, Value == Data {}

extension Hasty {
  fileprivate func setObjects(_ objects: [String: Data], expiry: Expiry?) async throws {
    for (key, object) in objects {
      try await setObject(object, forKey: key, expiry: expiry)
      await Task.yield()
    }
  }
}

/// A store that inherits an asynchronous variant of `removeInMemoryObject`: with `await`, nothing is removed.
private protocol Retentive: SyncStorageAware where Key == String, Value == Data {}

extension Retentive {
  fileprivate func removeInMemoryObject(forKey key: String) async throws { await Task.yield() }
}

/// A store that inherits an asynchronous variant of `replaceObject`: with `await`, the expiry is lost.
private protocol Renewing: SyncStorageAware where Key == String, Value == Data {}

extension Renewing {
  fileprivate func replaceObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    await Task.yield()
    try await setObject(object, forKey: key, expiry: nil)
  }
}

/// A correct store with cached entries.
private struct Peeking: Hasty, Retentive, Renewing {
  let base: Reference
  let inMemory = Shared<Set<String>>([])

  var clock: StorageClock { base.clock }
  let mayBlock = false
  func peek(forKey key: String) -> Entry<Data>? {
    guard inMemory.value.contains(key) else { return nil }
    // An error counts as no cached entry.
    do { return try base.entryIfPresent(forKey: key) } catch { return nil }
  }
  func read(_ key: String, _ how: How) throws -> Entry<Data>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    inMemory.change { _ = $0.insert(key) }
    return try base.read(key, how)
  }
  func change(_ key: String, _ change: StoreChange<Data>, _ how: How) throws -> Bool {
    if case .forget = change.kind { inMemory.change { _ = $0.remove(key) } }
    return try base.change(key, change, how)
  }
  func change(_ batch: StoreBatch<String, Data>, _ how: How) throws { try base.change(batch, how) }
  func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<String> {
    try base.list(after: cursor, limit: limit)
  }
  func clear(_ extent: StoreExtent) throws { try base.clear(extent) }
}

extension Peeking {
  enum Inherited { case batch, removal, replacement }

  /// Calls with `await`. One of them reaches the asynchronous function that the store inherits, the others its own.
  func awaited(inherited: Inherited) -> AwaitedCalls {
    AwaitedCalls(
      expiryIfPresent: { try await expiryIfPresent(forKey: $0) },
      removeInMemoryObject: { key in
        if inherited == .removal { return try await removeInMemoryObject(forKey: key) }
        try blocking { try removeInMemoryObject(forKey: key) }
      },
      replaceObject: { object, key, expiry in
        if inherited == .replacement { return try await replaceObject(object, forKey: key, expiry: expiry) }
        try blocking { try replaceObject(object, forKey: key, expiry: expiry) }
      },
      entries: { try await entries(forKeys: $0) },
      setObjects: { objects, expiry in
        if inherited == .batch { return try await setObjects(objects, expiry: expiry) }
        try blocking { try setObjects(objects, expiry: expiry) }
      },
      removeObjects: { try await removeObjects(forKeys: $0) })
  }
}

/// A correct store, except that its synchronous batch removal is faulty.
private struct Lazy: SyncSimpleStorage {
  let base: Reference

  var clock: StorageClock { base.clock }
  let mayBlock = false
  func entryIfPresent(forKey key: String) throws -> Entry<Data>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) throws {
    try base.setObjects(objects, expiry: expiry)
  }
  func removeObjects(forKeys keys: [String]) throws {}
  func removeObjects(forKeys keys: [String]) async throws { try await base.removeObjects(forKeys: keys) }
}

extension Fault {
  static let ofWorlds = [
    Fault(
      .bothWorlds, "with await on its own type, atomicBatches is broken",
      Subject("with await, writes a batch key by key") {
        Peeking(base: Reference(at: $0))
      } awaited: {
        $0.awaited(inherited: .batch)
      }),
    Fault(
      .bothWorlds, "with await on its own type, removing is broken",
      Subject("with await, keeps all in memory") {
        Peeking(base: Reference(at: $0))
      } awaited: {
        $0.awaited(inherited: .removal)
      }),
    Fault(
      .bothWorlds, "with await on its own type, overwriting is broken",
      Subject("with await, forgets the expiry of what it replaces") {
        Peeking(base: Reference(at: $0))
      } awaited: {
        $0.awaited(inherited: .replacement)
      }),
    Fault(
      .bothWorlds, "with await on its own type, conditions is broken",
      Subject("with await, touches nothing") {
        Reference(at: $0)
      } awaited: { store in
        store.awaited(
          setIfAbsent: { object, key, expiry in
            try blocking { try store.setIfAbsent(object, forKey: key, expiry: expiry) }
          },
          touch: { key, _ in try await store.objectExists(forKey: key) })
      }),
    Fault(
      .bothWorlds, "called without await, batches is broken",
      Subject("without await, removes none of many") { Lazy(base: Reference(at: $0)) }),
  ]
}
