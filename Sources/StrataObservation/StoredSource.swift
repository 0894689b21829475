import Strata
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
  /// Reads the store without `await`, which may block; `nil` for a store that suspends or loads.
  let lookNow: (@Sendable () throws -> Look)?
  /// Reads the store, without loading.
  let look: @Sendable (How) async throws -> Look
  /// Loads the value; `nil` for a store without a loader. The result may not be stored.
  let load: (@Sendable (LoadReason) async throws -> Value?)?
  /// Stores a value, or removes it.
  let store: @Sendable (Value?) async throws -> Void
  let update: @Sendable (_ modify: @escaping @Sendable (inout Value) throws -> Void) async throws -> Value
  /// Stores a value if there is none. Returns whether there was none.
  let storeIfAbsent: @Sendable (Value) async throws -> Bool
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
    @Sendable func look(_ entry: Entry<Value>?) -> Look {
      entry.live(by: clock).map { Look(value: $0.object, expiry: $0.expiry) } ?? Look()
    }
    if let store = Self.withoutAwait(base) {
      lookNow = { look(try store.read(key, [])) }
    } else {
      lookNow = nil
    }
    if let loading = base as? LoadingStorage<Key, Value> {
      self.look = { how in
        guard let stored = try await loading.storedValue(forKey: key, how) else {
          return Look(isMissing: true)
        }
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
      self.look = { how in look(try await base.read(key, how)) }
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
    storeIfAbsent = { value in try await base.change(key, .setIfAbsent(value, nil), []) }
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

  /// Returns a store as one that can be read without `await`, or `nil`. A store that suspends, or loads, would block
  /// the main actor for as long as its server or its source takes.
  private static func withoutAwait<Key>(
    _ base: some StorageAware<Key, Value>
  ) -> (any SyncStorageAware<Key, Value>)? {
    if let async = base as? AsyncStorage<Key, Value> { return async.withoutAwait }
    return isSync(base) ? base as? any SyncStorageAware<Key, Value> : nil
  }

  /// Returns whether no tier of a store suspends: a synchronous loading store blocks for one that does.
  private static func isSync(_ store: any StorageDesign) -> Bool {
    store is any SyncStorageAware && store.wrappedStorages.allSatisfy(isSync)
  }

  /// Returns what a view can show at once: what is in memory or, if the caller may block, what is stored.
  func lookAtOnce(mayBlock: Bool) -> Result<Look, any Error>? {
    if let entry = peek() { return .success(Look(value: entry.object, expiry: entry.expiry)) }
    guard mayBlock, let lookNow else { return nil }
    return Result { try lookNow() }
  }

  /// Changes the value, or stores another one if there is none. Returns what is stored.
  func update(
    _ modify: @escaping @Sendable (inout Value) throws -> Void, orStore initial: () throws -> Value
  ) async throws -> Value {
    while true {
      do { return try await update(modify) } catch StorageError.notFound {
        let value = try initial()
        // Otherwise another writer has stored one meanwhile, which is changed then.
        if try await storeIfAbsent(value) { return value }
      }
    }
  }

  /// Reads the store, first what is in memory, unless the authoritative tier is asked.
  func lookUp(_ how: How) async -> Result<Look, any Error> {
    if how.isEmpty, let entry = peek() { return .success(Look(value: entry.object, expiry: entry.expiry)) }
    do { return .success(try await look(how)) } catch { return .failure(error) }
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
