public import StrataCore

/// The memory tier of a loading store's inner store. Its closures are compiled for the type of that store: through
/// `any`, a hit takes several times as long.
@usableFromInline
struct CachedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let freshness: CachedFreshness
  /// Returns a value that is fresh, not removed by a tag, and not due for a refresh.
  @usableFromInline let object: @Sendable (Key) -> Value?
  private let peek: @Sendable (Key) -> Entry<Cached<Value>>?

  @inlinable
  init(of base: some StorageAware<Key, Cached<Value>>, _ generations: Generations) {
    let freshness = CachedFreshness(dates: base.clock, generations: generations)
    self.init(freshness) {
      base.peek(forKey: $0)
    } object: { key in
      if freshness.isLocal {
        return base._withCachedObject(forKey: key) { freshness.object(of: $0, kept: $1) }
      }
      guard let entry = base.peek(forKey: key) else { return nil }
      return withUnsafePointer(to: entry.object) { freshness.object(of: $0, kept: entry.expiry) }
    }
  }

  @usableFromInline
  init(
    _ freshness: CachedFreshness, peek: @escaping @Sendable (Key) -> Entry<Cached<Value>>?,
    object: @escaping @Sendable (Key) -> Value?
  ) {
    self.freshness = freshness
    self.peek = peek
    self.object = object
  }

  /// Returns the entry if it is fresh, not removed by a tag, and not due for a refresh.
  func entry(_ key: Key) -> Cached<Value>? {
    guard let entry = peek(key), freshness.isGood(entry.object, kept: entry.expiry) else { return nil }
    return entry.object.ending(entry.expiry)
  }
}
