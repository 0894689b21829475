/// The combinator that converts between typed values and the `TypeWrapper`s of the inner chain.
///
/// ```swift
/// let chain = TypeWrapperStorage(HybridStorage(front: tier, back: disk), transformer: .codable(User.self))
/// try chain.setObject(ada, forKey: "ada")
/// let json = try chain.transform(to: .data).object(forKey: "ada")
/// ```
///
/// Retyping a chain replaces only this combinator, so all views share the stored entries. Reading a value that is not a
/// `Value` throws `.typeNotMatch` with the key and the reason. Reading a value that cannot be decrypted throws the
/// `EncryptorError`. In both cases the stored value does not change.
public struct TypeWrapperStorage<Inner: StorageAware, Value: Sendable>: StorageAware
where Inner.Value == TypeWrapper {
  /// The type of the chain's keys.
  public typealias Key = Inner.Key

  /// The inner chain.
  public let inner: Inner
  /// The transformer of this view's values.
  public let transformer: Transformer<Value>
  /// Stores batches as bytes, if the inner chain consists of a byte store; `nil` for any other chain.
  @usableFromInline package let bytes: DirectBytes<Key>?

  /// Creates a typed view of a chain. If the chain is confidential, errors contain no part of a value.
  @inlinable
  public init(_ inner: Inner, transformer: Transformer<Value>) {
    self.init(inner, transformer: transformer, bytes: nil)
  }

  @inlinable
  package init(_ inner: Inner, transformer: Transformer<Value>, bytes: DirectBytes<Key>?) {
    self.inner = inner
    self.transformer = inner.guarding(transformer)
    self.bytes = bytes
  }

  /// Returns a view of the same store as another type.
  public func transform<U>(to transformer: Transformer<U>) -> TypeWrapperStorage<Inner, U> {
    TypeWrapperStorage<Inner, U>(inner, transformer: transformer, bytes: bytes)
  }

  /// Returns a view of the same store as another type, in the `CodableFormat` of this view or, if it has none, in JSON.
  /// Values are compressed and encrypted as in this view.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> TypeWrapperStorage<Inner, U> {
    transform(to: transformer.retyped(as: type))
  }

  /// The inner chain.
  public var wrappedStorages: [any StorageDesign] { [shown(inner)] }
  /// The clock of the inner chain.
  @inlinable
  public var clock: StorageClock { inner.clock }
  /// Whether the inner chain may block.
  public var mayBlock: Bool { inner.mayBlock }
  /// The coordinator of the inner chain.
  public var coordinator: StorageCoordinator<Key>? { inner.coordinator }
  /// The invalidation source of the inner chain.
  public var invalidationSource: InvalidationSource<Key>? { inner.invalidationSource }

  /// Returns the value if it is already decoded in memory as this type. Never blocks.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? {
    guard let entry = inner.peek(forKey: key), let object = entry.object.cachedObject(as: transformer) else {
      return nil
    }
    return Entry(object: object, expiry: entry.expiry, file: entry.file)
  }

  /// Returns the result of `body` for the entry that `peek` would return, without copying it. `body` may run while the
  /// memory is locked: it must not use a store.
  @inlinable
  @inline(__always)
  public func _withCachedObject<R: Sendable>(forKey key: Key, _ body: (UnsafePointer<Value>, Expiry) -> R?)
    -> R?
  {
    inner._withCachedObject(forKey: key, as: transformer, body)
  }

  @inlinable
  package func wrap(_ object: Value) -> TypeWrapper { .holding(object, transformer: transformer) }

  @inlinable
  package func unwrap(_ entry: Entry<TypeWrapper>, forKey key: Key) throws -> Entry<Value> {
    do { return try entry.map { try $0.object(as: transformer) } } catch {
      throw unreadable(key, entry.filePath, error)
    }
  }

  /// Returns the error for a value that cannot be read as this view's type.
  @usableFromInline
  func unreadable(_ key: Key, _ place: String?, _ error: any Error) -> any Error {
    // A wrong encryption key is not a wrong type: a view with the right key can read the value.
    if let error = error as? EncryptorError { return error.with(key: key) }
    return StorageError.typeNotMatch.with(
      "the stored bytes cannot be read as \(Value.self)", key: key, place: place, cause: error)
  }
}

extension TypeWrapperStorage: ConditionalStorage where Inner: ConditionalStorage {}

extension TypeWrapperStorage: SyncConditionalStorage where Inner: SyncConditionalStorage {}
