#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
import Synchronization

extension DiskStorage: SyncUpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation, also as other processes see it, and returns what it
  /// stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. The folder is not locked while
  /// `modify` runs: if somebody else changes the entry meanwhile, it runs again on the new value. It may use other keys
  /// of this store; to write this one throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    let row = TableKey(table: path, key: key.storageKey.canonicalUTF8)
    return try DiskUpdates.running {
      try DiskUpdates.order.withTurn(.key(row)) {
        while true {
          let seen = try explaining("read the entry", key) { try $0.versionedEntry(forKey: key) }
          guard let seen, !seen.entry.expiry.isExpired(by: clock) else {
            throw StorageError.notFound.with(key: key)
          }
          var value = seen.entry.object
          try modify(&value)
          let isStored = try explaining("store the entry", key) {
            try $0.setObject(value, forKey: key, expiry: seen.entry.expiry, ifUnchanged: seen.version)
          }
          if isStored { return value }
        }
      }
    }
  }
}

extension DiskStorage: SyncConditionalStorage {
  /// Stores bytes if nothing is stored under the key, or only what has expired, as one operation, also as other
  /// processes see it. Returns whether they were stored. Without an expiry that of the configuration applies.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) throws -> Bool {
    let expiry = (expiry ?? config.expiry).resolved(by: clock)
    try refuseInsideUpdate(of: key)
    return try explaining("store the entry", key) {
      try $0.setObjectIfAbsent(object, forKey: key, expiry: expiry)
    }
  }

  /// Changes the expiry of a stored value, as one operation, also as other processes see it, and leaves the value as it
  /// is.
  ///
  /// Returns `false`, and changes nothing, if nothing is stored or the value has expired. A value in a file of its own
  /// is not written anew, except with `.files`. Throws as a write does.
  public func touch(forKey key: Key, expiry: Expiry) throws -> Bool {
    let expiry = expiry.resolved(by: clock)
    try refuseInsideUpdate(of: key)
    return try explaining("change the entry's expiry", key) { try $0.touch(forKey: key, expiry: expiry) }
  }
}

extension DiskStorage {
  /// Throws if this thread is inside an update of a key, which a write would make run again for ever.
  @inline(__always)
  func refuseInsideUpdate(of key: Key) throws {
    if DiskUpdates.count.load(ordering: .relaxed) > 0 { try refuse(key) }
  }

  @inline(never)
  private func refuse(_ key: Key) throws {
    let row = TableKey(table: path, key: key.storageKey.canonicalUTF8)
    do { try DiskUpdates.order.refuseInsideTurn(of: row) } catch let error as StorageError {
      throw error.with(key: key)
    }
  }
}

/// The updates of all stores of this process: those of one key take turns, so that they do not make each other run
/// again.
enum DiskUpdates {
  static let order = KeyOrder<TableKey>()
  /// How many run, so that writes rarely have to look.
  static let count = Atomic(0)

  static func running<R>(_ body: () throws -> R) rethrows -> R {
    count.add(1, ordering: .relaxed)
    defer { count.subtract(1, ordering: .relaxed) }
    return try body()
  }
}
