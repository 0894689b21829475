#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
import Synchronization

extension DiskStorage: SyncUpdateableStorage {
  /// Reads, changes and stores a value, atomically for all processes. Returns the stored value. The expiry does not
  /// change.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing changes. The folder is not locked while
  /// `modify` runs: if another thread or process changes the entry meanwhile, `modify` runs again with the new value.
  /// It may use other keys of this store; writing the same key throws `.deadlock`.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) throws -> Data {
    var stored = Data()
    _ = try updateVersioned(forKey: key) { value, _ in
      try modify(&value)
      stored = value
    }
    return stored
  }
}

extension DiskStorage: VersionedUpdating {
  package func updateVersioned(
    forKey key: Key, _ modify: (inout Data, EntryVersion) throws -> Void
  ) throws -> EntryVersion? {
    try refuseReadOnly()
    let row = TableKey(table: path, key: key.storageKey.canonicalUTF8)
    return try DiskUpdates.running {
      try DiskUpdates.order.withTurn(.key(row)) {
        while true {
          let seen = try explaining("read the entry", key) { try $0.versionedEntry($1) }
          guard let seen, seen.entry.isLive(by: clock) else {
            throw StorageError.notFound.with(key: key)
          }
          var value = seen.entry.object
          try modify(&value, seen.version)
          let (isStored, version) = try explaining("store the entry", key) {
            try $0.replace(
              seen.version, with: NewEntry(key: $1, value: value, expiry: seen.entry.expiry))
          }
          if isStored { return version }
        }
      }
    }
  }
}

extension DiskStorage: SyncConditionalStorage {}

extension DiskStorage {
  /// Throws if the store only reads.
  func refuseReadOnly() throws(StorageError) {
    if config.isReadOnly { throw .readOnly.with(place: path) }
  }

  /// Throws if the store only reads, or this thread is inside an update of the key: a write would make the update run
  /// again for ever.
  @inline(__always)
  func refuseInsideUpdate(of key: Key) throws {
    if config.isReadOnly { try refuseReadOnly() }
    if DiskUpdates.count.load(ordering: .relaxed) > 0 { try refuse(key) }
  }

  /// The same for many keys, which are evaluated only if one may have to be refused.
  func refuseInsideUpdate(of keys: @autoclosure () -> [Key]) throws {
    guard config.isReadOnly || DiskUpdates.count.load(ordering: .relaxed) > 0 else { return }
    for key in keys() { try refuseInsideUpdate(of: key) }
  }

  @inline(never)
  private func refuse(_ key: Key) throws {
    let row = TableKey(table: path, key: key.storageKey.canonicalUTF8)
    do { try DiskUpdates.order.refuseInsideTurn(of: row) } catch let error as StorageError {
      throw error.with(key: key)
    }
  }
}

/// The updates of all stores of this process. Updates of one key take turns, so that they do not make each other run
/// again.
enum DiskUpdates {
  static let order = KeyOrder<TableKey>()
  /// The number of running updates. While it is 0, writes skip the check for a deadlock.
  static let count = Atomic(0)

  static func running<R>(_ body: () throws -> R) rethrows -> R {
    count.add(1, ordering: .relaxed)
    defer { count.subtract(1, ordering: .relaxed) }
    return try body()
  }
}
