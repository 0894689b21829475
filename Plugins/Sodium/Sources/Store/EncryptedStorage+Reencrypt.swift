#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension EncryptedStorage {
  /// Encrypts every value that uses an older key again, with the newest key. Returns how many values there were and how
  /// many were rewritten.
  ///
  /// It first waits for all writes of this process that may have begun with an older key, through any store with the
  /// same ring. After it returns, no value in the store needs a key older than the newest key at the time of the call.
  /// Reads and writes continue meanwhile, and a concurrent write is never overwritten. The work can be interrupted at
  /// any time, also by the end of the process, and repeated: values that are done are only read. `progress` is called
  /// after each batch. An error that it throws ends the work, as does cancellation of the task.
  ///
  /// A value that cannot be decrypted is left unchanged. After all other values are done,
  /// `EncryptorError.failedToDecrypt` is thrown with the key of one such value. An error of the store ends the work at
  /// once.
  ///
  /// Over a store that blocks, this method blocks its thread until the work is done.
  @discardableResult
  public func reencrypt(progress: (Reencryption) throws -> Void = { _ in }) async throws -> Reencryption {
    if !(cipher is KeyRing) { writes.advance() }
    try await writes.waitForEarlier()
    var state = Reencryption(total: 0)
    for try await keys in base.keyPages() { state.total += keys.count }
    for try await batch in base.keyPages(limit: Reencryption.batchSize) {
      for (key, sealed) in try await base.entries(forKeys: batch) {
        do { if try await reencrypt(sealed, forKey: key) { state.rewritten += 1 } } catch let error
          as EncryptorError
        {
          state.note(error)
        }
      }
      state.visit(batch.count)
      try progress(state)
    }
    return try state.finish()
  }

  private func reencrypt(_ sealed: Entry<Data>, forKey key: Key) async throws -> Bool {
    var sealed = sealed
    var refused: Data?
    while isStale(sealed) {
      if let plain = try open(sealed, forKey: key, unless: &refused)?.object {
        let new = try coder(key).encodeWhole(plain, as: sealed.object)
        if try await rewriting.replace(sealed, with: new, forKey: key, in: base) { return true }
      }
      guard let now = try await base.entryIfPresent(forKey: key) else { return false }
      sealed = now
    }
    return false
  }
}

extension EncryptedStorage where Base: SyncStorageAware {
  /// Encrypts every value that uses an older key again, with the newest key. Returns how many values there were and how
  /// many were rewritten.
  ///
  /// The same as the async variant, except that cancellation of a task does not end it.
  @discardableResult
  public func reencrypt(progress: (Reencryption) throws -> Void = { _ in }) throws -> Reencryption {
    if !(cipher is KeyRing) { writes.advance() }
    writes.blockForEarlier()
    var state = Reencryption(total: 0)
    try base.forEachKeyPage { state.total += $0.count }
    try base.forEachKeyPage(limit: Reencryption.batchSize) { batch in
      for (key, sealed) in try base.entries(forKeys: batch) {
        do { if try reencrypt(sealed, forKey: key) { state.rewritten += 1 } } catch let error
          as EncryptorError
        {
          state.note(error)
        }
      }
      state.visit(batch.count)
      try progress(state)
    }
    return try state.finish()
  }

  private func reencrypt(_ sealed: Entry<Data>, forKey key: Key) throws -> Bool {
    var sealed = sealed
    var refused: Data?
    while isStale(sealed) {
      if let plain = try open(sealed, forKey: key, unless: &refused)?.object {
        let new = try coder(key).encodeWhole(plain, as: sealed.object)
        if try rewriting.replace(sealed, with: new, forKey: key, in: base) { return true }
      }
      guard let now = try base.entryIfPresent(forKey: key) else { return false }
      sealed = now
    }
    return false
  }
}
