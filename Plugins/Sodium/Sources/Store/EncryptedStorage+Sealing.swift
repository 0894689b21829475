#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension EncryptedStorage {
  @usableFromInline
  func seal(_ plain: Data, forKey key: Key) throws -> Data {
    do { return try cipher.encrypt(plain, for: domain.entry(key)) } catch let error as EncryptorError {
      throw error.with(key: key)
    }
  }

  func seal(_ objects: [Key: Data]) throws -> [Key: Data] {
    var sealed: [Key: Data] = [:]
    sealed.reserveCapacity(objects.count)
    for (key, object) in objects { sealed[key] = try seal(object, forKey: key) }
    return sealed
  }

  /// Encrypts encoded values. Each object drops its encoded bytes as soon as they are encrypted, so a batch is never in
  /// memory three times.
  func seal(_ objects: [Key: TypeWrapper]) throws -> [Key: Data] {
    var sealed: [Key: Data] = [:]
    sealed.reserveCapacity(objects.count)
    var freed = 0
    for (key, object) in objects {
      let plain = try object.data()
      sealed[key] = try seal(plain, forKey: key)
      object.forgetBytes()
      freed += plain.count
      // What is encrypted is a little longer, and would not fit where the plain bytes were.
      if freed > 16 << 20 {
        FreedMemory.giveBack()
        freed = 0
      }
    }
    return sealed
  }

  /// Calls a write that encrypts what it stores. Rotations wait for its end.
  @usableFromInline
  func sealing<R>(_ write: () throws -> R) rethrows -> R {
    let generation = writes.begin()
    defer { writes.end(generation) }
    return try write()
  }

  /// Calls a write that encrypts what it stores. Rotations wait for its end.
  func sealing<R>(_ write: () async throws -> R) async rethrows -> R {
    let generation = writes.begin()
    defer { writes.end(generation) }
    return try await write()
  }

  /// Whether an entry that was read is to be stored again.
  @usableFromInline
  func isStale(_ sealed: Entry<Data>) -> Bool {
    !cipher.isCurrent(sealed.object) && !sealed.expiry.isExpired(by: clock)
  }
}

extension EncryptedStorage {
  func open(_ sealed: Data, forKey key: Key) throws -> Data {
    do { return try cipher.decrypt(sealed, for: domain.entry(key)) } catch let error as EncryptorError {
      throw error.with(key: key)
    }
  }

  /// The entry as it is read. A file that holds the encrypted bytes is not one that holds the value.
  func open(_ sealed: Entry<Data>, forKey key: Key) throws -> Entry<Data> {
    Entry(object: try open(sealed.object, forKey: key), expiry: sealed.expiry)
  }

  /// The entry as it is read; `nil` if its key has gone and it must be read again.
  ///
  /// A rotation may have encrypted the value again, and removed its old key, after the bytes were read. Bytes that were
  /// `refused` before are still there: their key is gone for good.
  @usableFromInline
  func open(_ sealed: Entry<Data>, forKey key: Key, unless refused: inout Data?) throws -> Entry<Data>? {
    do { return try open(sealed, forKey: key) } catch let error as EncryptorError {
      guard lacksKey(of: sealed.object), sealed.object != refused else { throw error }
      refused = sealed.object
      return nil
    }
  }

  func lacksKey(of sealed: Data) -> Bool { (cipher as? KeyRing)?.lacksKey(of: sealed) ?? false }
}

/// The steps of one update, which the store below may take more than once.
struct ResealingUpdate<Base: StorageAware>: ~Copyable where Base.Value == Data, Base.Key: StorageKey {
  let store: EncryptedStorage<Base>
  let key: Base.Key
  /// The changed value.
  var plain = Data()
  /// Whether an attempt met bytes whose key had just gone: another one meets others, or the same, and then it is gone
  /// for good.
  private(set) var isWorthAnotherAttempt = false
  private var refused: Data?
  private var generation: Int?

  init(_ store: EncryptedStorage<Base>, _ key: Base.Key) {
    self.store = store
    self.key = key
  }

  deinit { if let generation { store.writes.end(generation) } }

  /// Decrypts, changes and encrypts. Rotations wait for what is encrypted, and not for `modify`.
  mutating func apply(_ sealed: inout Data, _ modify: (inout Data) throws -> Void) throws {
    if let generation { store.writes.end(generation) }
    generation = nil
    if store.lacksKey(of: sealed) {
      isWorthAnotherAttempt = sealed != refused
      refused = sealed
    }
    plain = try store.open(sealed, forKey: key)
    isWorthAnotherAttempt = false
    try modify(&plain)
    generation = store.writes.begin()
    sealed = try store.seal(plain, forKey: key)
  }
}
