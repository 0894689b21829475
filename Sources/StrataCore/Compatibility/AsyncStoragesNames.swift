// Names of AsyncStorages, for programs that come from there. Each says what it is called here, or what takes its place.
// swift-format-ignore-file: NoLeadingUnderscores

extension StorageDesign {
  /// The links of the chain, one a line.
  @available(*, deprecated, renamed: "storageHierarchy()")
  public func _storageHierarchy() -> String { storageHierarchy() }

  /// The first link of a type, this one included.
  @available(*, deprecated, renamed: "reach(toFirst:)")
  public func _reach<S: StorageDesign>(toFirst type: S.Type) -> S? { reach(toFirst: type) }

  /// The first link that meets a condition, this one included.
  @available(*, deprecated, renamed: "reachToFirst(where:)")
  public func _reachToFirst(
    where condition: (any StorageDesign) throws -> Bool
  ) rethrows -> (any StorageDesign)? {
    try reachToFirst(where: condition)
  }

  /// What a function makes of the first link of which it makes anything, this one included.
  @available(*, deprecated, renamed: "reachToFirst(whereNotNil:)")
  public func _reachToFirst<R>(whereNotNil transform: (any StorageDesign) throws -> R?) rethrows -> R? {
    try reachToFirst(whereNotNil: transform)
  }
}

extension StorageDesign {
  /// The stores that this one stands on.
  @available(*, deprecated, renamed: "wrappedStorages")
  public var _wrappedStorages: [any StorageDesign] { wrappedStorages }
}

/// What can tell how it is built, in AsyncStorages.
@available(*, deprecated, renamed: "StorageDesign")
public typealias StorageWrapper = StorageDesign

extension WritableStorage {
  /// This store with its values mapped as they are written.
  @available(*, deprecated, renamed: "mapValues(to:_:)")
  public func mapValues<U: Sendable>(
    from type: U.Type, _ mapping: @escaping @Sendable (U) async throws -> Value
  ) -> some WritableStorage<Key, U> {
    mapValues(to: type, mapping)
  }

  /// This store written by other keys.
  @available(*, deprecated, renamed: "mapKeys(to:_:)")
  public func mapKeys<K: Sendable>(
    from type: K.Type, _ mapping: @escaping @Sendable (K) throws -> Key
  ) -> some WritableStorage<K, Value> {
    mapKeys(to: type, mapping)
  }
}

/// What AsyncStorages throws where a memory has no value. Here every store throws `StorageError.notFound`.
@available(
  *, unavailable,
  message: "an absent value throws the same error in every store: `case StorageError.notFound:`"
)
public struct MemoryStorageValueMissingForKey<Key: Hashable>: Error {}

/// The switch of AsyncStorages' log.
@available(
  *, unavailable,
  message: "stores write no log, they throw what goes wrong; `DiskConfig.onDamage` is told of the rest"
)
public enum ShallowsLog {
  /// Always `false`.
  public static var isEnabled: Bool {
    get { false }
    set {}
  }
}

/// One half of a store that is made of two, in AsyncStorages.
@available(*, unavailable, renamed: "NonFallibleStorage")
public protocol NonFallibleReadableStorage {}
