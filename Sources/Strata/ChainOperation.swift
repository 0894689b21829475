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
  static func read(_ key: Key, _ how: How = []) -> Self where Output == Entry<Value>? {
    Self(scope: .key(key)) {
      try $0.read(key, how)
    } async: {
      try await $0.read(key, how)
    } cached: {
      try $0.read(key, how.union(.atOnce))
    }
  }

  static func read(_ keys: [Key], _ how: How = []) -> Self where Output == [Key: Entry<Value>] {
    Self(scope: TurnScope(keys)) {
      try $0.read(keys, how)
    } async: {
      try await $0.read(keys, how)
    }
  }

  static func change(_ key: Key, _ change: StoreChange<Value>) -> Self where Output == Bool {
    Self(scope: .key(key)) {
      try $0.change(key, change, [])
    } async: {
      try await $0.change(key, change, [])
    }
  }

  static func change(_ batch: StoreBatch<Key, Value>) -> Self where Output == Void {
    Self(scope: TurnScope(batch.keys)) {
      try $0.change(batch, [])
    } async: {
      try await $0.change(batch, [])
    }
  }

  /// Stores a value that may have been encoded already.
  static func set(_ wrapper: TypeWrapper, _ key: Key, _ expiry: Expiry?) -> Self where Output == Bool {
    Self(scope: .key(key)) {
      try $0.inner.change(key, .set(wrapper, expiry), [])
    } async: {
      try await $0.inner.change(key, .set(wrapper, expiry), [])
    }
  }

  static func list(_ cursor: KeyCursor?, _ limit: Int) -> Self where Output == KeyPage<Key> {
    Self(scope: nil) {
      try $0.list(after: cursor, limit: limit)
    } async: {
      try await $0.list(after: cursor, limit: limit)
    }
  }

  /// Removes entries. Most keys need no turn for a sweep, since a tier removes an entry only if it has expired. Watched
  /// keys need a turn: otherwise a removal could be reported after a newer write.
  static func clear(_ extent: StoreExtent, watched: [Key]) -> Self where Output == Void {
    Self(scope: extent == .everything ? .everything : TurnScope(watched)) {
      try $0.clear(extent)
    } async: {
      try await $0.clear(extent)
    }
  }

  static func keys() -> Self where Output == [Key] {
    Self(scope: nil) {
      try $0.keys()
    } async: {
      try await $0.keys()
    }
  }

  static func allObjects() -> Self where Output == [Value] {
    Self(scope: nil) {
      try $0.allObjects()
    } async: {
      try await $0.allObjects()
    }
  }

  /// Returns a value that has not expired, decoded and with its wrapper: the one that an update would replace.
  static func seen(_ key: Key) -> Self where Output == (TypeWrapper, Value) {
    @Sendable func decoded<Tier>(
      _ typed: TypeWrapperStorage<Tier, Value>, _ wrapper: TypeWrapper
    ) throws -> (TypeWrapper, Value) where Tier.Key == Key {
      (wrapper, try typed.unwrap(Entry(object: wrapper), forKey: key).object)
    }
    return Self(scope: .key(key)) {
      try decoded($0, $0.inner.current(key))
    } async: {
      try await decoded($0, $0.inner.current(key))
    } cached: {
      // What memory holds may be outdated. Then `replace` finds another value, and memory drops its own.
      guard let entry = try $0.inner.read(key, .atOnce).live(by: $0.clock) else { throw WouldWait() }
      return try decoded($0, entry.object)
    }
  }

  /// Replaces a value if it is still the one that was read. Its expiry does not change.
  static func replace(_ seen: TypeWrapper, with value: Value, _ key: Key) -> Self where Output == Bool {
    Self(scope: .key(key)) {
      try $0.inner.replace(seen, with: $0.wrap(value), forKey: key)
    } async: {
      try await $0.inner.replace(seen, with: $0.wrap(value), forKey: key)
    }
  }

  static func update(_ key: Key, _ modify: @escaping @Sendable (inout Value) throws -> Void) -> Self
  where Output == Value {
    Self(scope: .key(key)) {
      try $0.update(forKey: key, modify)
    } async: {
      try await $0.update(forKey: key, modify)
    }.callingUser
  }

  private var callingUser: Self {
    var copy = self
    copy.callsUser = true
    return copy
  }
}
