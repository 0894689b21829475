import StrataCore
import StrataLoading

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The operations of a store on one key, without the type of the store and of its keys.
///
/// The functions with `async` run on the caller's executor, which must not be the main actor's: a store may encode,
/// decode and read there.
struct StoredSource<Value: Sendable>: Sendable {
  /// What a store has for the key.
  struct Look: Sendable {
    var value: Value?
    /// The end of the value, or of its freshness.
    var expiry = Expiry.never
    /// Whether a loader has to replace the value.
    var isStale = false
    /// Whether the store has no value, and a loader may find one.
    var isMissing = false
  }

  enum LoadReason: Sendable { case isMissing, isStale, isAsked }

  /// Returns an entry that is in memory, and need not be replaced. Never blocks.
  let peek: @Sendable () -> Entry<Value>?
  /// Reads the store, without loading.
  let look: @Sendable () async throws -> Look
  /// Loads the value; `nil` for a store without a loader. The result may not be stored.
  let load: (@Sendable (LoadReason) async throws -> Value?)?
  /// Stores a value, or removes it.
  let store: @Sendable (Value?) async throws -> Void
  let update: @Sendable (_ modify: @escaping @Sendable (inout Value) throws -> Void) async throws -> Value
  /// Connects the changes of the key with a signal.
  let connect: @Sendable (ChangeSignal) -> Void
  /// Whether other machines change the store. A failed read is then repeated after a pause.
  let isShared: Bool
  let clock: StorageClock

  init<Key>(_ base: some StorageAware<Key, Value>, key: Key) {
    let source = base.invalidationSource
    let clock = base.clock
    self.clock = clock
    isShared = source != nil
    peek = { base.peek(forKey: key).live(by: clock) }
    if let loading = base as? LoadingStorage<Key, Value> {
      look = {
        guard let stored = try await loading.storedValue(forKey: key) else { return Look(isMissing: true) }
        return Look(value: stored.value, expiry: stored.expiry, isStale: stored.isStale)
      }
      load = { reason in
        // A read would return the stale value in place of an error.
        if reason == .isMissing || reason == .isStale && loading.isWaitingToRetry(key) {
          return try await loading.objectIfPresent(forKey: key)
        }
        do { return try await loading.refresh(forKey: key) } catch StorageError.notFound { return nil }
      }
    } else {
      look = {
        guard let entry = try await base.entryIfPresent(forKey: key).live(by: clock) else { return Look() }
        return Look(value: entry.object, expiry: entry.expiry)
      }
      load = nil
    }
    store = { value in
      if let value {
        try await base.setObject(value, forKey: key)
      } else {
        try await base.removeObject(forKey: key)
      }
    }
    update = { modify in try await base.updated(forKey: key, modify) }
    connect = { signal in
      for token in base.observeChanges(ofKey: key, { [weak signal] in signal?.send() ?? false }) {
        signal.keep(token)
      }
      signal.keep(
        source?.listen { [weak signal] announcement in
          if case .changed(let keys) = announcement, !keys.contains(key) { return }
          signal?.send()
        })
    }
  }

  /// Reads the store, first what is in memory.
  func lookUp() async -> Result<Look, any Error> {
    if let entry = peek() { return .success(Look(value: entry.object, expiry: entry.expiry)) }
    do { return .success(try await look()) } catch { return .failure(error) }
  }

  /// Returns the time until a value ends, or until it has to be replaced; `nil` if that is not known.
  func rest(of look: Look) -> Duration? {
    guard case .date(let end) = look.expiry, look.value != nil, !look.isStale else { return nil }
    // At most some thirty years: a clock's deadline cannot be as far away as a date. The value is then looked at again.
    return .seconds(min(max(0, end.timeIntervalSince(clock.now)), 1e9))
  }
}

extension StorageAware {
  /// Reads, changes and stores a value, by the store's own `update` if it has one.
  fileprivate func updated(
    forKey key: Key, _ modify: @escaping @Sendable (inout Value) throws -> Void
  ) async throws -> Value {
    if let updating = self as? any UpdateableStorage<Key, Value> {
      return try await updating.update(forKey: key, modify)
    }
    return try await readModifyWrite(forKey: key, modify)
  }
}
