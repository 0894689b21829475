#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension LoadingStorage {
  /// Returns a value, and loads it if none is stored or it is stale. Throws `.notFound` if the loader finds none.
  @inlinable
  @inline(__always)
  public func object(forKey key: Key) async throws -> Value {
    if let object = freshObject(key) { return object }
    return try await loadedObject(key)
  }

  /// Returns a value, and loads it if none is stored or it is stale; `nil` if the loader finds none.
  @inlinable
  @inline(__always)
  public func objectIfPresent(forKey key: Key) async throws -> Value? {
    if let object = freshObject(key) { return object }
    return try await objectOrAbsence(key)
  }

  @usableFromInline
  func loadedObject(_ key: Key) async throws -> Value {
    guard let object = try await objectOrAbsence(key) else { throw StorageError.notFound.with(key: key) }
    return object
  }

  /// Reads a value that is not cached in memory, or a remembered absence.
  @usableFromInline
  func objectOrAbsence(_ key: Key) async throws -> Value? {
    if let cached = memory.entry(key), cached.value == nil {
      engine.reporter.report(.hitAbsent, key)
      return nil
    }
    return try await engine.read(key).value
  }

  /// Returns an entry, and loads it if none is stored or it is stale; `nil` if the loader finds none. The expiry of a
  /// stale value, returned because the load failed, has passed.
  ///
  /// If only the expiry is wanted, loads nothing: returns the end of the stored value's freshness, or `nil` if none is
  /// stored. At once, returns what `peek` returns, or throws `WouldWait`.
  public func read(_ key: Key, _ how: How) async throws -> Entry<Value>? {
    if how.contains(.quietly) { return peek(forKey: key) }
    if how.contains(.atOnce) { return try peeked(key) }
    if how.contains(.expiryOnly) { return try await expiry(of: key).map { Entry(expiry: $0) } }
    if how.contains(.authoritative) {
      _ = try await engine.base.read(key, .authoritative)
    }
    if let entry = peek(forKey: key) {
      engine.reporter.hit(key)
      return entry
    }
    let found = try await engine.read(key)
    return found.value.map { Entry(object: $0, expiry: found.expiry) }
  }

  /// Returns the entry in memory if it is fresh and not due for a refresh. Never blocks.
  public func peek(forKey key: Key) -> Entry<Value>? {
    guard let cached = memory.entry(key), let value = cached.value else { return nil }
    return Entry(object: value, expiry: engine.expiry(of: cached))
  }

  /// Returns the stored entry without loading; `nil` if nothing is stored. The value may be stale, or `nil` for a
  /// remembered absence.
  ///
  /// ```swift
  /// if let stored = try await profiles.storedEntry(forKey: "ada") { print("removed with any of \(stored.tags)") }
  /// ```
  public func storedEntry(forKey key: Key) async throws -> Cached<Value>? {
    try await storedEntry(forKey: key, [])
  }

  func storedEntry(forKey key: Key, _ how: How) async throws -> Cached<Value>? {
    guard let entry = try await engine.base.read(key, how).live(by: clock) else { return nil }
    let cached = entry.object.ending(entry.expiry)
    return try await engine.freshness(of: cached, key) == .gone ? nil : cached
  }

  private func expiry(of key: Key) async throws -> Expiry? {
    guard let stored = try await storedValue(forKey: key), stored.value != nil else { return nil }
    return stored.isStale ? .date(.distantPast) : stored.expiry
  }

  /// Returns at most `limit` keys of fresh values after a cursor; loads nothing. Each value is read, at most a thousand
  /// with each page.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    let page = try await engine.base.keyPage(after: cursor, limit: min(limit, 1000))
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
