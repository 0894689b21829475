#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension LMDBStorage {
  /// Returns an entry, even an expired one, or `nil` if there is none. The value is a copy.
  ///
  /// Throws `.malformedFileAttributes` if the record is not a valid entry.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    do { return try table.entry(forKey: key.storageKey) } catch {
      throw explained(error, "read the entry", key)
    }
  }

  /// Returns the expiry of an entry, or `nil` if there is none. Does not read the value.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    do { return try table.expiry(forKey: key.storageKey) } catch {
      throw explained(error, "read the entry", key)
    }
  }

  /// Returns the entries of many keys as a snapshot of one moment. Keys without an entry are missing from the result.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    do {
      return try table.entries(forKeys: keys) { $0.storageKey }
    } catch { throw explained(error, "read the entries") }
  }

  /// Reads a value in place in the map, without copying it. Returns `nil` if it is missing or expired.
  ///
  /// ```swift
  /// let width = try images.withBytes(forKey: "logo") { $0.unsafeLoadUnaligned(fromByteOffset: 16, as: UInt32.self) }
  /// ```
  ///
  /// Useful for values of many kilobytes of which only a part is needed. The bytes do not change while the closure
  /// runs, whatever is written meanwhile. Until then LMDB keeps all pages that are replaced, in all processes, and the
  /// map cannot grow. So be quick, and do not block inside. Writing to a store in the same folder from inside the
  /// closure throws `.deadlock`. Errors of the closure are rethrown.
  public func withBytes<R>(forKey key: Key, _ body: (RawSpan) throws -> R) throws -> R? {
    // Only these lines depend on the result type; the rest is compiled once.
    var result: R?
    do {
      try table.withBytes(forKey: key.storageKey, by: clock) { result = try body($0.bytes) }
    } catch { throw explained(error, "read the entry", key) }
    return result
  }

  /// Returns the keys of all entries that have not expired, in no particular order, as a snapshot of one moment.
  ///
  /// Visits every record of the database. Omits entries that were stored with another key type.
  public func keys() throws -> [Key] {
    var keys: [Key] = []
    do {
      try table.eachKey(validAt: clock.now) { bytes in if let key = Self.key(bytes) { keys.append(key) } }
    } catch { throw explained(error, "list the entries") }
    return keys
  }

  /// Returns at most `limit` keys after a cursor, as a snapshot of one moment. Omits keys of another type.
  ///
  /// No transaction stays open between two pages.
  public func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    let start: [UInt8]? = try cursor?.position()
    var keys: [Key] = []
    do {
      let next = try table.eachKey(from: start, atMost: max(1, limit), validAt: clock.now) { bytes in
        if let key = Self.key(bytes) { keys.append(key) }
      }
      return KeyPage(keys: keys, next: next.map { KeyCursor($0) })
    } catch { throw explained(error, "list the entries") }
  }

  /// Returns the key of a text; `nil` if the text is no key, or not the text of that key: it belongs to another type.
  private static func key(_ bytes: UnsafeRawBufferPointer) -> Key? {
    guard let text = String(validating: bytes, as: UTF8.self), let key = Key(storageKey: text),
      key.storageKey == text
    else { return nil }
    return key
  }
}
