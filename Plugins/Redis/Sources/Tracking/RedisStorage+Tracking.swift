#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension RedisStorage {
  /// Where the store tells of what others have changed, as `RedisConfig.tracking` says; memory in front of it listens.
  ///
  /// The server is asked to tell when this is first asked for. A server that cannot, or whose access list forbids
  /// `CLIENT TRACKING`, is not used after that: calls throw its refusal. Set `tracking` to `.off` to do without.
  ///
  /// A line that is cut without a word is noticed by its silence, `RedisConfig.heartbeat` once or twice over; until
  /// then memory in front may be as old as that. A connection that ends is noticed at once.
  public var announcer: StorageAnnouncer<Key>? {
    if client.tracking.mode == .off { return nil }
    let (announcer, isNew) = announced.withLock { announced in
      if let announced { return (announced, false) }
      let new = StorageAnnouncer<Key>()
      announced = new
      return (new, true)
    }
    if isNew {
      client.track(Data(namespace.prefix)) { [weak announcer, namespace] words in
        guard let announcer else { return }
        if let words {
          announcer.changed(words.compactMap { namespace.key($0) })
        } else {
          announcer.changedAll()
        }
      }
    }
    return announcer
  }
}
