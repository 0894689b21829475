import Foundation
import Strata

/// The operations of all measured byte stores, engines and backends alike.
protocol ByteStore: Sendable {
  /// Returns a value, if there is one. `thread` is the number of the calling thread, for engines that need an object
  /// per thread.
  func value(forKey key: String, thread: Int) throws -> Data?
  func store(_ value: Data, forKey key: String, thread: Int) throws
  func values(forKeys keys: [String], thread: Int) throws -> [String: Data]
  func store(_ values: [String: Data], thread: Int) throws
}

extension ByteStore {
  /// Reads values one by one, for stores without batch reads.
  func values(forKeys keys: [String], thread: Int) throws -> [String: Data] {
    var found = [String: Data](minimumCapacity: keys.count)
    for key in keys { found[key] = try value(forKey: key, thread: thread) }
    return found
  }

  /// Writes values one by one, for stores without batch writes.
  func store(_ values: [String: Data], thread: Int) throws {
    for (key, value) in values { try store(value, forKey: key, thread: thread) }
  }

  @inline(never)
  func read(_ keys: [String], _ thread: Int) throws -> Int {
    var sum = 0
    for key in keys { sum &+= try value(forKey: key, thread: thread)?.count ?? 0 }
    return sum
  }

  @inline(never)
  func write(_ value: Data, _ keys: [String], _ thread: Int) throws -> Int {
    for key in keys { try store(value, forKey: key, thread: thread) }
    return keys.count
  }

  @inline(never)
  func readBatches(_ batches: [[String]], _ thread: Int) throws -> Int {
    var sum = 0
    for keys in batches {
      for value in try values(forKeys: keys, thread: thread).values { sum &+= value.count }
    }
    return sum
  }

  @inline(never)
  func writeBatches(_ value: Data, _ batches: [[String]], _ thread: Int) throws -> Int {
    var count = 0
    for keys in batches {
      try store(Dictionary(keys.map { ($0, value) }) { first, _ in first }, thread: thread)
      count += keys.count
    }
    return count
  }
}

/// A backend of Strata, which needs no object per thread.
struct Backend<Store: SyncStorageAware<String, Data>>: ByteStore {
  let store: Store

  func value(forKey key: String, thread: Int) throws -> Data? { try store.objectIfPresent(forKey: key) }
  func store(_ value: Data, forKey key: String, thread: Int) throws {
    try store.setObject(value, forKey: key)
  }
  func values(forKeys keys: [String], thread: Int) throws -> [String: Data] {
    try store.entries(forKeys: keys).mapValues(\.object)
  }
  func store(_ values: [String: Data], thread: Int) throws { try store.setObjects(values, expiry: nil) }
}
