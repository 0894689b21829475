#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension LoadingStorage {
  /// Reads a value, and loads it where none is stored or it is not fresh; throws `.notFound` where the loader found
  /// none.
  @inlinable
  public func object(forKey key: Key) async throws -> Value {
    if let object = freshObject(key) { return object }
    guard let object = try await objectOrAbsence(key) else { throw StorageError.notFound.with(key: key) }
    return object
  }

  /// Reads a value, and loads it where none is stored or it is not fresh; `nil` where the loader found none.
  @inlinable
  public func objectIfPresent(forKey key: Key) async throws -> Value? {
    if let object = freshObject(key) { return object }
    return try await objectOrAbsence(key)
  }

  /// Reads a value that is not at hand, or remembers that there is none.
  @usableFromInline
  func objectOrAbsence(_ key: Key) async throws -> Value? {
    if let cached = freshCached(key), cached.value == nil {
      engine.reporter.report(.hitAbsent, key)
      return nil
    }
    return try await engine.read(key).value
  }

  /// Reads a value, and loads it where none is stored or it is not fresh; `nil` where the loader found none. The entry
  /// of a stale value, which stands in for one that could not be loaded, has expired.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    if let entry = peek(forKey: key) {
      engine.reporter.hit(key)
      return entry
    }
    let found = try await engine.read(key)
    return found.value.map { Entry(object: $0, expiry: found.expiry) }
  }

  /// What is stored in memory and can be returned as it is: fresh, and not to be refreshed.
  public func peek(forKey key: Key) -> Entry<Value>? {
    guard let cached = freshCached(key), let value = cached.value else { return nil }
    return Entry(object: value, expiry: engine.expiry(of: cached))
  }

  /// Reads what is stored and loads nothing; `nil` where nothing is. The value may be stale, and there may be none:
  /// then it is remembered that the loader found nothing.
  public func storedEntry(forKey key: Key) async throws -> Cached<Value>? {
    guard let entry = try await engine.base.entryIfPresent(forKey: key), !entry.expiry.isExpired(by: clock)
    else {
      return nil
    }
    let cached = entry.object.ending(entry.expiry)
    return try await engine.freshness(of: cached, key) == .gone ? nil : cached
  }

  /// Until when the stored value is fresh, or `nil` where none is stored; loads nothing.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    guard let cached = try await storedEntry(forKey: key), cached.value != nil else { return nil }
    if try await engine.freshness(of: cached, key) == .stale { return .date(.distantPast) }
    return engine.expiry(of: cached)
  }

  /// Whether a value is stored and fresh; loads nothing.
  public func objectExists(forKey key: Key) async throws -> Bool {
    guard let expiry = try await expiryIfPresent(forKey: key) else { return false }
    return !expiry.isExpired(by: clock)
  }

  /// The keys of all values that are stored and fresh; loads nothing. Each value is read, a thousand at a time.
  public func keys() async throws -> [Key] {
    var all: [Key] = []
    for try await keys in keyPages() { all += keys }
    return all
  }

  /// Returns at most `limit` keys of fresh values after a cursor; loads nothing. Each value is read.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    let page = try await engine.base.keyPage(after: cursor, limit: limit)
    let entries = try await engine.base.entries(forKeys: page.keys)
    var fresh: [Key] = []
    for key in page.keys {
      guard let cached = entries[key]?.object, cached.value != nil else { continue }
      switch try await engine.freshness(of: cached, key) {
      case .fresh, .due: fresh.append(key)
      case .stale, .gone: break
      }
    }
    return KeyPage(keys: fresh, next: page.next)
  }
}
