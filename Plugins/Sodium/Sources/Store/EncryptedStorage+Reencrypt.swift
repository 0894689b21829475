#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension EncryptedStorage {
  /// Stores every value that is under an old key under the newest; returns what there was to do.
  ///
  /// When it returns, nothing in the store needs an older key than the newest of when it began. It first waits for the
  /// writes of this process that may have begun under an older key, through any store with the same ring. Readers and
  /// writers go on meanwhile, and what somebody writes is never overwritten. It can be interrupted at any time, also by
  /// the end of the process, and called again: what is done is only looked at. `progress` is called after every few
  /// values; what it throws ends the work, as the end of the task does.
  ///
  /// A value that cannot be decrypted is left as it is, and the others are done first; then
  /// `EncryptorError.failedToDecrypt` is thrown, with the key of one of them. What the store throws ends the work at
  /// once.
  ///
  /// Over a store that blocks, this blocks the thread that it runs on, for as long as there is work.
  @discardableResult
  public func reencrypt(progress: (Reencryption) throws -> Void = { _ in }) async throws -> Reencryption {
    if !(cipher is KeyRing) { writes.advance() }
    try await writes.waitForEarlier()
    let keys = try await base.keys()
    var state = Reencryption(total: keys.count)
    for batch in keys.batches(of: Reencryption.batchSize) {
      try Task.checkCancellation()
      for (key, sealed) in try await base.entries(forKeys: batch) {
        do { if try await reencrypt(sealed, forKey: key) { state.rewritten += 1 } } catch let error
          as EncryptorError
        {
          state.note(error)
        }
      }
      state.visited += batch.count
      try progress(state)
    }
    return try state.finish()
  }

  private func reencrypt(_ sealed: Entry<Data>, forKey key: Key) async throws -> Bool {
    var sealed = sealed
    var refused: Data?
    while isStale(sealed) {
      if let plain = try open(sealed, forKey: key, unless: &refused)?.object {
        let new = try seal(plain, forKey: key)
        if try await rewriting.replace(sealed, with: new, forKey: key, in: base) { return true }
      }
      guard let now = try await base.entryIfPresent(forKey: key) else { return false }
      sealed = now
    }
    return false
  }
}

extension EncryptedStorage where Base: SyncStorageAware {
  /// Stores every value that is under an old key under the newest; returns what there was to do.
  ///
  /// As its twin with `await`, but for the end of a task, which ends nothing.
  @discardableResult
  public func reencrypt(progress: (Reencryption) throws -> Void = { _ in }) throws -> Reencryption {
    if !(cipher is KeyRing) { writes.advance() }
    writes.blockForEarlier()
    let keys = try base.keys()
    var state = Reencryption(total: keys.count)
    for batch in keys.batches(of: Reencryption.batchSize) {
      for (key, sealed) in try base.entries(forKeys: batch) {
        do { if try reencrypt(sealed, forKey: key) { state.rewritten += 1 } } catch let error
          as EncryptorError
        {
          state.note(error)
        }
      }
      state.visited += batch.count
      try progress(state)
    }
    return try state.finish()
  }

  private func reencrypt(_ sealed: Entry<Data>, forKey key: Key) throws -> Bool {
    var sealed = sealed
    var refused: Data?
    while isStale(sealed) {
      if let plain = try open(sealed, forKey: key, unless: &refused)?.object {
        let new = try seal(plain, forKey: key)
        if try rewriting.replace(sealed, with: new, forKey: key, in: base) { return true }
      }
      guard let now = try base.entryIfPresent(forKey: key) else { return false }
      sealed = now
    }
    return false
  }
}
