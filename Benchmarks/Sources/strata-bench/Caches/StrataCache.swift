import Strata

/// `MemoryStorage`, used as a program uses it.
struct StrataCache<Key: Hashable & Sendable, Value: Weighable>: Cache {
  private let memory: MemoryStorage<Key, Value>

  init(capacity: Int = 0) {
    memory = MemoryStorage(config: MemoryConfig(countLimit: UInt(capacity)))
  }

  func value(forKey key: Key) throws -> Value? { try memory.objectIfPresent(forKey: key) }
  func store(_ value: Value, forKey key: Key) throws { try memory.setObject(value, forKey: key) }
}
