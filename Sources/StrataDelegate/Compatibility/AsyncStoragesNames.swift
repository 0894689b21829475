public import StrataAlgebra

// The names of AsyncStorages, for programs that migrate from it. Each refers to its name or replacement in Strata.
// swift-format-ignore-file: NoLeadingUnderscores

extension StorageDesign {
  /// Returns a drawing of the chain, one line per store.
  @available(*, deprecated, renamed: "storageHierarchy()")
  public func _storageHierarchy() -> String { storageHierarchy() }

  /// Returns the first store of a type, among this store and its inner stores.
  @available(*, deprecated, renamed: "reach(toFirst:)")
  public func _reach<S: StorageDesign>(toFirst type: S.Type) -> S? { reach(toFirst: type) }

  /// Returns the first store that meets a condition, among this store and its inner stores.
  @available(*, deprecated, renamed: "reachToFirst(where:)")
  public func _reachToFirst(
    where condition: (any StorageDesign) throws -> Bool
  ) rethrows -> (any StorageDesign)? {
    try reachToFirst(where: condition)
  }

  /// Returns the first result of `transform` that is not `nil`, for this store and its inner stores.
  @available(*, deprecated, renamed: "reachToFirst(whereNotNil:)")
  public func _reachToFirst<R>(whereNotNil transform: (any StorageDesign) throws -> R?) rethrows -> R? {
    try reachToFirst(whereNotNil: transform)
  }
}

extension StorageDesign {
  /// The inner stores of this store.
  @available(*, deprecated, renamed: "wrappedStorages")
  public var _wrappedStorages: [any StorageDesign] { wrappedStorages }
}

/// The name of `StorageDesign` in AsyncStorages.
@available(*, deprecated, renamed: "StorageDesign")
public typealias StorageWrapper = StorageDesign

extension WritableStorage {
  /// Returns this store with values that are mapped when they are written.
  @available(*, deprecated, renamed: "mapValues(to:_:)")
  public func mapValues<U: Sendable>(
    from type: U.Type, _ mapping: @escaping @Sendable (U) async throws -> Value
  ) -> some WritableStorage<Key, U> {
    mapValues(to: type, mapping)
  }

  /// Returns a store that writes this store by other keys.
  @available(*, deprecated, renamed: "mapKeys(to:_:)")
  public func mapKeys<K: Sendable>(
    from type: K.Type, _ mapping: @escaping @Sendable (K) throws -> Key
  ) -> some WritableStorage<K, Value> {
    mapKeys(to: type, mapping)
  }
}

/// The error of AsyncStorages for an absent value in memory. In Strata every store throws `StorageError.notFound`.
@available(
  *, unavailable,
  message: "an absent value throws the same error in every store: `case StorageError.notFound:`"
)
public struct MemoryStorageValueMissingForKey<Key: Hashable>: Error {}

/// The switch of AsyncStorages' log.
@available(
  *, unavailable,
  message: "stores write no log: they throw errors, and pass any others to `DiskConfig.onDamage`"
)
public enum ShallowsLog {
  /// Always `false`.
  public static var isEnabled: Bool {
    get { false }
    set {}
  }
}

/// The readable half of a non-fallible store in AsyncStorages.
@available(*, unavailable, renamed: "NonFallibleStorage")
public protocol NonFallibleReadableStorage {}
