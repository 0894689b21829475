/// The operations of synchronous contenders.
///
/// Loops over a cache are generic, but each is called with one concrete type in this module. So the optimizer treats it
/// like a loop in a user's program.
protocol Cache<Key, Value>: Sendable {
  associatedtype Key: Hashable & Sendable
  associatedtype Value: Weighable

  func value(forKey key: Key) throws -> Value?
  func store(_ value: Value, forKey key: Key) throws
}

/// A value that can be summed, so that no read of it can be optimized away.
protocol Weighable: Sendable { var weight: Int { get } }

extension Int: Weighable { var weight: Int { self } }

extension Cache {
  /// Reads all keys; returns the sum of the values found.
  @inline(never)
  func read(_ keys: [Key]) throws -> Int {
    var sum = 0
    for key in keys { if let value = try value(forKey: key) { sum &+= value.weight } }
    return sum
  }

  /// Reads all keys and stores the missing ones; returns the number of hits.
  @inline(never)
  func readThrough(_ keys: [Key], _ value: Value) throws -> Int {
    var hits = 0
    for key in keys {
      if try self.value(forKey: key) != nil { hits += 1 } else { try store(value, forKey: key) }
    }
    return hits
  }

  /// Stores a value under all keys.
  @inline(never)
  func write(_ value: Value, forKeys keys: [Key]) throws -> Int {
    for key in keys { try store(value, forKey: key) }
    return keys.count
  }
}
