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

  /// Encrypts encoded values. Each object drops its encoded bytes once they are encrypted, so a batch is never in
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
      // Encrypted bytes are slightly longer, so the allocator cannot reuse the space of the plain bytes for them.
      if freed > 16 << 20 {
        FreedMemory.giveBack()
        freed = 0
      }
    }
    return sealed
  }

  /// Runs a write that encrypts its value. `reencrypt` waits for such writes.
  @usableFromInline
  func sealing<R>(_ write: () throws -> R) rethrows -> R {
    let generation = writes.begin()
    defer { writes.end(generation) }
    return try write()
  }

  /// Runs a write that encrypts its value. `reencrypt` waits for such writes.
  @usableFromInline
  func sealing<R>(_ write: () async throws -> R) async rethrows -> R {
    let generation = writes.begin()
    defer { writes.end(generation) }
    return try await write()
  }

  /// Whether an entry that was read should be encrypted again: it uses an older key and has not expired.
  @usableFromInline
  func isStale(_ sealed: Entry<Data>) -> Bool {
    !cipher.isCurrent(PartCoder.firstPart(of: sealed.object)) && !sealed.expiry.isExpired(by: clock)
  }
}

extension EncryptedStorage {
  func open(_ sealed: Data, forKey key: Key) throws -> Data { try coder(key).decodeWhole(sealed) }

  /// Decrypts a value, or a part of a streamed value.
  func openPart(_ sealed: Data, forKey key: Key) throws -> Data {
    do { return try cipher.decrypt(sealed, for: domain.entry(key)) } catch let error as EncryptorError {
      throw error.with(key: key)
    }
  }

  /// Returns the decrypted entry. Its `filePath` is `nil`, since the file of the encrypted entry does not contain the
  /// value.
  func open(_ sealed: Entry<Data>, forKey key: Key) throws -> Entry<Data> {
    Entry(object: try open(sealed.object, forKey: key), expiry: sealed.expiry)
  }

  /// Returns the decrypted entry, or `nil` if its key was removed and the entry must be read again.
  ///
  /// Between reading and decrypting, a rotation may have rewritten the value and removed its old key. If the bytes
  /// equal `refused`, a second read found them unchanged: their key was removed permanently, and the error is thrown.
  @usableFromInline
  func open(_ sealed: Entry<Data>, forKey key: Key, unless refused: inout Data?) throws -> Entry<Data>? {
    do { return try open(sealed, forKey: key) } catch let error as EncryptorError {
      guard lacksKey(of: sealed.object), sealed.object != refused else { throw error }
      refused = sealed.object
      return nil
    }
  }

  func lacksKey(of sealed: Data) -> Bool {
    (cipher as? KeyRing)?.lacksKey(of: PartCoder.firstPart(of: sealed)) ?? false
  }
}

/// The state of one update. The inner store may call `apply` more than once.
struct ResealingUpdate<Base: StorageAware>: ~Copyable where Base.Value == Data, Base.Key: StorageKey {
  let store: EncryptedStorage<Base>
  let key: Base.Key
  /// The changed value.
  var plain = Data()
  /// Whether the last attempt read bytes whose key was missing for the first time. Another attempt may read rewritten
  /// bytes; if it reads the same bytes, the key was removed permanently.
  private(set) var isWorthAnotherAttempt = false
  private var refused: Data?
  private var generation: Int?

  init(_ store: EncryptedStorage<Base>, _ key: Base.Key) {
    self.store = store
    self.key = key
  }

  deinit { if let generation { store.writes.end(generation) } }

  /// Decrypts, modifies and encrypts the value. Rotations wait for the write of the encrypted value, not for `modify`.
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
    sealed = try store.coder(key).encodeWhole(plain, as: sealed)
  }
}
