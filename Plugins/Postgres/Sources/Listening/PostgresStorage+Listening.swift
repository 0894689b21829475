public import StrataCore

extension PostgresStorage {
  /// The invalidation source for changes by all clients and programs, or `nil` with `PostgresAnnouncing.off` or
  /// `PostgresConfig.isReadOnly`; memory in front of the store observes it.
  ///
  /// Its first use creates triggers on the table, which notify all listening clients of every change. If the role may
  /// not create the triggers, all later calls throw the server's refusal.
  ///
  /// A connection that dies silently is detected after one or two times `PostgresConfig.heartbeat`; until then memory
  /// in front may be stale. A connection that is closed is detected at once.
  public var invalidationSource: InvalidationSource<Key>? {
    if announcing == .off || client.config.isReadOnly { return nil }
    let (source, isNew) = announced.withLock { announced in
      if let announced { return (announced, false) }
      let new = InvalidationSource<Key>(isLinked: false)
      announced = new
      return (new, true)
    }
    if isNew { listen(source) }
    return source
  }

  private func listen(_ source: InvalidationSource<Key>) {
    let maker = maker
    client.listener.add(
      Listener.Subscriber(
        prepare: { try await maker.prepareAnnouncing() },
        check: { [weak source] in if try await maker.isReplaced() { source?.changedAll() } }
      ) { [weak source] message in
        switch message {
        case .keys(let keys): source?.changed(keys.compactMap(Self.key))
        case .all: source?.changedAll()
        case .lost: source?.lost()
        case .restored:
          maker.setRefusal(nil)
          source?.restored()
        case .refused(let error): maker.setRefusal(error)
        }
      })
  }

  /// Returns the key of a text in UTF-8; `nil` if the key type cannot decode it, or encodes it differently.
  static func key(_ text: some Sequence<UInt8>) -> Key? {
    let utf8 = Array(text)
    guard let text = String(validating: utf8, as: UTF8.self), let key = Key(storageKey: text),
      key.storageKey.canonicalUTF8 == utf8
    else { return nil }
    return key
  }
}

/// Whether the server reports changes, so that memory in front of a store stays coherent.
///
/// ```swift
/// let log = try PostgresStorage<String>(client: client, table: "log", announcing: .off)   // Written more than read.
/// ```
public enum PostgresAnnouncing: Sendable, Hashable {
  /// Triggers on the table notify all listening clients of the keys that each statement has changed. They are created
  /// only when a store in front requests it. Writes that notify commit one after the other in the whole server.
  case statements
  /// Changes are not reported: memory in front of a store may be stale.
  case off
}
