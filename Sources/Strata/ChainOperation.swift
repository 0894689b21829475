import StrataCore

/// An operation on a chain, in a synchronous and an asynchronous form.
struct ChainOperation<Key: Hashable & Sendable, Value: Sendable, Output: Sendable>: Sendable {
  /// The keys whose turn the operation needs; `nil` if it needs no turn.
  let scope: TurnScope<Key>?
  let sync: @Sendable (TypeWrapperStorage<ObservedStorage<Key>, Value>) throws -> Output
  let async: @Sendable (TypeWrapperStorage<AsyncObservedStorage<Key>, Value>) async throws -> Output
  /// Whether the operation calls a closure of the user, which may take long.
  var callsUser = false
  /// Returns the result if it is available without waiting, and throws otherwise. `nil` if the operation always has to
  /// wait.
  var cached: (@Sendable (TypeWrapperStorage<ObservedStorage<Key>, Value>) throws -> Output)?
}

extension ChainOperation {
  static func object(_ key: Key) -> Self where Output == Value {
    Self(scope: .key(key)) {
      try $0.object(forKey: key)
    } async: {
      try await $0.object(forKey: key)
    }
  }

  static func objectIfPresent(_ key: Key) -> Self where Output == Value? {
    Self(scope: .key(key)) {
      try $0.objectIfPresent(forKey: key)
    } async: {
      try await $0.objectIfPresent(forKey: key)
    }
  }

  static func entry(_ key: Key) -> Self where Output == Entry<Value> {
    Self(scope: .key(key)) {
      try $0.entry(forKey: key)
    } async: {
      try await $0.entry(forKey: key)
    }
  }

  static func objectExists(_ key: Key) -> Self where Output == Bool {
    Self(scope: .key(key)) {
      try $0.objectExists(forKey: key)
    } async: {
      try await $0.objectExists(forKey: key)
    }
  }

  static func isExpiredObject(_ key: Key) -> Self where Output == Bool {
    Self(scope: .key(key)) {
      try $0.isExpiredObject(forKey: key)
    } async: {
      try await $0.isExpiredObject(forKey: key)
    }
  }

  static func entryIfPresent(_ key: Key) -> Self where Output == Entry<Value>? {
    Self(scope: .key(key)) {
      try $0.entryIfPresent(forKey: key)
    } async: {
      try await $0.entryIfPresent(forKey: key)
    } cached: {
      try $0.cachedEntry(forKey: key).get()
    }
  }

  static func expiryIfPresent(_ key: Key) -> Self where Output == Expiry? {
    Self(scope: .key(key)) {
      try $0.expiryIfPresent(forKey: key)
    } async: {
      try await $0.expiryIfPresent(forKey: key)
    } cached: {
      try $0.cachedExpiry(forKey: key).get()
    }
  }

  static func setObject(_ object: Value, _ key: Key, _ expiry: Expiry?) -> Self where Output == Void {
    Self(scope: .key(key)) {
      try $0.setObject(object, forKey: key, expiry: expiry)
    } async: {
      try await $0.setObject(object, forKey: key, expiry: expiry)
    }
  }

  /// Stores a value that may have been encoded already.
  static func setWrapped(_ wrapper: TypeWrapper, _ key: Key, _ expiry: Expiry?) -> Self where Output == Void {
    Self(scope: .key(key)) {
      try $0.inner.setObject(wrapper, forKey: key, expiry: expiry)
    } async: {
      try await $0.inner.setObject(wrapper, forKey: key, expiry: expiry)
    }
  }

  static func replaceObject(_ object: Value, _ key: Key, _ expiry: Expiry?) -> Self where Output == Void {
    Self(scope: .key(key)) {
      try $0.replaceObject(object, forKey: key, expiry: expiry)
    } async: {
      try await $0.replaceObject(object, forKey: key, expiry: expiry)
    }
  }

  static func setIfAbsent(_ object: Value, _ key: Key, _ expiry: Expiry?) -> Self where Output == Bool {
    Self(scope: .key(key)) {
      try $0.setIfAbsent(object, forKey: key, expiry: expiry)
    } async: {
      try await $0.setIfAbsent(object, forKey: key, expiry: expiry)
    }
  }

  static func touch(_ key: Key, _ expiry: Expiry) -> Self where Output == Bool {
    Self(scope: .key(key)) {
      try $0.touch(forKey: key, expiry: expiry)
    } async: {
      try await $0.touch(forKey: key, expiry: expiry)
    }
  }

  static func removeObject(_ key: Key) -> Self where Output == Void {
    Self(scope: .key(key)) {
      try $0.removeObject(forKey: key)
    } async: {
      try await $0.removeObject(forKey: key)
    }
  }

  static func removeInMemoryObject(_ key: Key) -> Self where Output == Void {
    Self(scope: .key(key)) {
      try $0.removeInMemoryObject(forKey: key)
    } async: {
      try await $0.removeInMemoryObject(forKey: key)
    }
  }

  static func removeAll() -> Self where Output == Void {
    Self(scope: .everything) {
      try $0.removeAll()
    } async: {
      try await $0.removeAll()
    }
  }

  /// Removes expired entries. Most keys need no turn for it, since a tier removes an entry only if it has expired.
  /// Observed keys need a turn: otherwise a removal could be reported after a newer write.
  static func removeExpiredObjects(watched: [Key]) -> Self where Output == Void {
    Self(scope: TurnScope(watched)) {
      try $0.removeExpiredObjects()
    } async: {
      try await $0.removeExpiredObjects()
    }
  }

  static func keys() -> Self where Output == [Key] {
    Self(scope: nil) {
      try $0.keys()
    } async: {
      try await $0.keys()
    }
  }

  static func keyPage(_ cursor: KeyCursor?, _ limit: Int) -> Self where Output == KeyPage<Key> {
    Self(scope: nil) {
      try $0.keyPage(after: cursor, limit: limit)
    } async: {
      try await $0.keyPage(after: cursor, limit: limit)
    }
  }

  static func allObjects() -> Self where Output == [Value] {
    Self(scope: nil) {
      try $0.allObjects()
    } async: {
      try await $0.allObjects()
    }
  }

  static func entries(_ keys: [Key]) -> Self where Output == [Key: Entry<Value>] {
    Self(scope: TurnScope(keys)) {
      try $0.entries(forKeys: keys)
    } async: {
      try await $0.entries(forKeys: keys)
    }
  }

  static func setObjects(_ objects: [Key: Value], _ expiry: Expiry?) -> Self where Output == Void {
    Self(scope: TurnScope(objects.keys)) {
      try $0.setObjects(objects, expiry: expiry)
    } async: {
      try await $0.setObjects(objects, expiry: expiry)
    }
  }

  static func setEntries(_ entries: [Key: Entry<Value>]) -> Self where Output == Void {
    Self(scope: TurnScope(entries.keys)) {
      try $0.setEntries(entries)
    } async: {
      try await $0.setEntries(entries)
    }
  }

  static func removeObjects(_ keys: [Key]) -> Self where Output == Void {
    Self(scope: TurnScope(keys)) {
      try $0.removeObjects(forKeys: keys)
    } async: {
      try await $0.removeObjects(forKeys: keys)
    }
  }

  /// Returns a value that has not expired, decoded and with its wrapper.
  static func seen(_ key: Key) -> Self where Output == (TypeWrapper, Value) {
    @Sendable func read<Tier>(
      _ typed: TypeWrapperStorage<Tier, Value>, _ entry: Entry<TypeWrapper>?
    ) throws -> (TypeWrapper, Value) where Tier.Key == Key {
      guard let entry, !entry.expiry.isExpired(by: typed.clock) else {
        throw StorageError.notFound.with(key: key)
      }
      return (entry.object, try typed.unwrap(entry, forKey: key).object)
    }
    return Self(scope: .key(key)) {
      try read($0, $0.inner.entryIfPresent(forKey: key))
    } async: {
      try await read($0, $0.inner.entryIfPresent(forKey: key))
    } cached: {
      try read($0, $0.inner.cachedEntry(forKey: key).get())
    }
  }

  /// Replaces a value if it is still the one that was read. Its expiry does not change.
  static func replace(_ seen: TypeWrapper, with value: Value, _ key: Key) -> Self where Output == Bool {
    @Sendable func isSeen(_ entry: Entry<TypeWrapper>, by clock: StorageClock) throws -> Bool {
      if entry.expiry.isExpired(by: clock) { return false }
      return try entry.object === seen || entry.object.data() == seen.data()
    }
    return Self(scope: .key(key)) {
      guard let now = try $0.inner.entryIfPresent(forKey: key), try isSeen(now, by: $0.clock) else {
        return false
      }
      try $0.replaceObject(value, forKey: key, expiry: now.expiry)
      return true
    } async: {
      guard let now = try await $0.inner.entryIfPresent(forKey: key), try isSeen(now, by: $0.clock) else {
        return false
      }
      try await $0.replaceObject(value, forKey: key, expiry: now.expiry)
      return true
    }
  }

  static func update(_ key: Key, _ modify: @escaping @Sendable (inout Value) throws -> Void) -> Self
  where Output == Value {
    Self(scope: .key(key)) {
      try $0.readModifyWrite(forKey: key, modify)
    } async: {
      try await $0.readModifyWrite(forKey: key, modify)
    }.callingUser
  }

  private var callingUser: Self {
    var copy = self
    copy.callsUser = true
    return copy
  }
}
