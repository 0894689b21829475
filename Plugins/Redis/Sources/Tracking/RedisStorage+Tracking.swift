#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension RedisStorage {
  /// The invalidation source for changes by other clients, as `RedisConfig.tracking` configures; memory in front of the
  /// store observes it.
  ///
  /// Its first use turns on tracking at the server. If a server does not support it, or its access list forbids
  /// `CLIENT TRACKING`, all later calls throw its refusal. Set `tracking` to `.off` in that case.
  ///
  /// A connection that dies silently is detected after one or two times `RedisConfig.heartbeat`; until then memory in
  /// front may be stale. A connection that is closed is detected at once.
  public var invalidationSource: InvalidationSource<Key>? {
    if client.tracking.mode == .off { return nil }
    let (invalidationSource, isNew) = announced.withLock { announced in
      if let announced { return (announced, false) }
      let new = InvalidationSource<Key>()
      announced = new
      return (new, true)
    }
    if isNew {
      client.track(Data(namespace.prefix)) { [weak invalidationSource, namespace] words in
        guard let invalidationSource else { return }
        if let words {
          invalidationSource.changed(words.compactMap { namespace.key($0) })
        } else {
          invalidationSource.changedAll()
        }
      }
    }
    return invalidationSource
  }
}
