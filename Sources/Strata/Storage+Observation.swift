public import StrataCore

extension Storage {
  /// Calls a closure after every change to the store, made through any view.
  ///
  /// ```swift
  /// let token = users.addStorageObserver(watcher) { watcher, store, change in print(change) }
  /// ```
  ///
  /// Calls are made one at a time, in the order of the changes, after the change is in force and outside all locks: the
  /// closure may use the store. They are made on a thread that changed the store, usually before its call returns. They
  /// end with the observer, which is not retained, with `cancel()` of the token, or with the last view of the store.
  ///
  /// If observers are slower than the writers, up to 1024 changes wait for them. Of later changes only the last one of
  /// each key is kept, whose value before is that before the first one.
  ///
  /// A change that throws may have taken effect in some tiers. It is reported if a read shows it: the read that follows
  /// the failure or, if that one fails too, a later read or change of the key. Such a call may be made on a thread of
  /// the library.
  @inlinable
  @discardableResult
  public func addStorageObserver<O: AnyObject & Sendable>(
    _ observer: O, closure: @escaping @Sendable (O, Storage, StorageChange<Key>) -> Void
  ) -> ObservationToken {
    let view = weakView
    return chain.coordinator.observers.addStorageObserver(isThere: { [weak observer] in observer != nil }) {
      [weak observer] change in
      guard let observer, let storage = view() else { return false }
      closure(observer, storage, change)
      return true
    }
  }

  /// Calls a closure after every change to one key, made through any view, with the value before and after.
  ///
  /// ```swift
  /// let token = users.addObserver(watcher, forKey: "ada") { watcher, store, change in
  ///   if case .edit(let before, let after) = change { print(before?.visits ?? 0, "→", after.visits) }
  /// }
  /// ```
  ///
  /// The calls are made, and end, as described at `addStorageObserver`. A value that another view stored is read as
  /// this view's type; if that fails, it is reported as `.remove`, since this view has no value for the key any more.
  @inlinable
  @discardableResult
  public func addObserver<O: AnyObject & Sendable>(
    _ observer: O, forKey key: Key, closure: @escaping @Sendable (O, Storage, KeyChange<Value>) -> Void
  ) -> ObservationToken {
    let view = weakView
    return chain.coordinator.observers.addObserver(
      forKey: key, isThere: { [weak observer] in observer != nil }
    ) {
      [weak observer, transformer] event in
      guard let observer, let storage = view() else { return false }
      closure(observer, storage, KeyChange(event, as: transformer))
      return true
    }
  }

  /// Ends all observations of the store.
  public func removeAllStorageObservers() { chain.coordinator.observers.removeStorageObservers() }

  /// Ends all observations of one key.
  public func removeObserver(forKey key: Key) { chain.coordinator.observers.removeObservers(forKey: key) }

  /// Ends all observations of keys.
  public func removeAllKeyObservers() { chain.coordinator.observers.removeKeyObservers() }

  /// The changes to the store from now on. The sequence ends with the last view of the store.
  ///
  /// The sequence keeps the last 1024 changes for a slow reader, which loses older ones.
  public var changes: AsyncStream<StorageChange<Key>> { async.changes }

  /// Returns the changes to the value under one key from now on, made through any view. The sequence ends with the last
  /// view of the store.
  ///
  /// A value that another view stored is read as this view's type; if that fails, it is reported as `.remove`. The
  /// sequence keeps the last 1024 changes for a slow reader, which loses older ones.
  ///
  /// ```swift
  /// for await change in users.changes(forKey: "ada") { print(change) }
  /// ```
  public func changes(forKey key: Key) -> AsyncStream<KeyChange<Value>> { async.changes(forKey: key) }

  /// Returns a closure that returns this view while the store is in use: the same object, or an equal one.
  @usableFromInline
  var weakView: @Sendable () -> Storage? {
    { [weak self, weak chain, transformer] in
      self ?? chain.map { Storage(chain: $0, transformer: transformer) }
    }
  }
}

extension AsyncStorage {
  /// The changes to the store from now on. The sequence ends with the last view of the store.
  ///
  /// The sequence keeps the last 1024 changes for a slow reader, which loses older ones.
  public var changes: AsyncStream<StorageChange<Key>> { chain.coordinator.observers.changes(keeping: 1024) }

  /// Returns the changes to the value under one key from now on, made through any view. The sequence ends with the last
  /// view of the store.
  ///
  /// A value that another view stored is read as this view's type; if that fails, it is reported as `.remove`. The
  /// sequence keeps the last 1024 changes for a slow reader, which loses older ones.
  public func changes(forKey key: Key) -> AsyncStream<KeyChange<Value>> {
    let (stream, continuation) = AsyncStream<KeyChange<Value>>.makeStream(
      bufferingPolicy: .bufferingNewest(1024))
    let ending = StreamEnding(of: continuation)
    let token = chain.coordinator.observers.addObserver(forKey: key) { [transformer] event in
      ending.continuation.yield(KeyChange(event, as: transformer))
      return true
    }
    continuation.onTermination = { _ in token.cancel() }
    return stream
  }
}

extension KeyChange {
  @inlinable
  init<Key>(_ event: ObserverList<Key>.KeyEvent, as transformer: Transformer<Value>) {
    func read(_ wrapper: TypeWrapper?) -> Value? {
      // A value that cannot be read as this view's type is reported as no value.
      do { return try wrapper?.object(as: transformer) } catch { return nil }
    }
    switch event {
    case .edit(let before, let after):
      self = read(after).map { .edit(before: read(before), after: $0) } ?? .remove
    case .remove: self = .remove
    }
  }
}
