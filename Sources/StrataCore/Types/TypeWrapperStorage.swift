/// The link that knows the type: values above it, `TypeWrapper`s below.
///
/// Retyping a chain replaces this link and nothing else, so all views share what is stored. A value that cannot be read
/// as `Value` throws `.typeNotMatch` with the key and the reason, one that cannot be decrypted the `EncryptorError`;
/// both stay as they are.
public struct TypeWrapperStorage<Inner: StorageAware, Value: Sendable>: StorageAware
where Inner.Value == TypeWrapper {
  /// The keys of the chain.
  public typealias Key = Inner.Key

  /// The chain below.
  public let inner: Inner
  /// How values of this view become bytes.
  public let transformer: Transformer<Value>

  /// Types a chain. Errors tell nothing of the values of a chain that is confidential.
  @inlinable
  public init(_ inner: Inner, transformer: Transformer<Value>) {
    self.inner = inner
    self.transformer = inner.guarding(transformer)
  }

  /// The same store seen as another type.
  public func transform<U>(to transformer: Transformer<U>) -> TypeWrapperStorage<Inner, U> {
    TypeWrapperStorage<Inner, U>(inner, transformer: transformer)
  }

  /// The same store seen as another type, in the format of this view (JSON where it has none), compressed and encrypted
  /// as here.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> TypeWrapperStorage<Inner, U> {
    transform(to: transformer.retyped(as: type))
  }

  /// The chain below.
  public var wrappedStorages: [any StorageDesign] { [shown(inner)] }
  /// The clock of the chain below.
  @inlinable
  public var clock: StorageClock { inner.clock }
  /// Whether the chain below may block.
  public var mayBlock: Bool { inner.mayBlock }
  /// The hub of the chain below.
  public var hub: StorageHub<Key>? { inner.hub }
  /// That of the chain below.
  public var announcer: StorageAnnouncer<Key>? { inner.announcer }

  /// The value, if it is in memory as this type.
  @inlinable
  public func peek(forKey key: Key) -> Entry<Value>? {
    guard let entry = inner.peek(forKey: key), let object = entry.object.objectAtHand(as: transformer) else {
      return nil
    }
    return Entry(object: object, expiry: entry.expiry, filePath: entry.filePath)
  }

  @inlinable
  func wrap(_ object: Value) -> TypeWrapper { .holding(object, transformer: transformer) }

  @inlinable
  package func unwrap(_ entry: Entry<TypeWrapper>, forKey key: Key) throws -> Entry<Value> {
    do {
      return try entry.map { try $0.object(as: transformer) }
    } catch let error as EncryptorError {
      // A wrong key is no wrong type: whoever has the right one reads the value.
      throw error.with(key: key)
    } catch {
      throw StorageError.typeNotMatch.with(
        "the stored bytes cannot be read as \(Value.self)", key: key, place: entry.filePath, cause: error)
    }
  }
}
