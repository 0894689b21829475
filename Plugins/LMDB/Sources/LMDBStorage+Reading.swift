#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension LMDBStorage {
  /// Reads what is stored, or `nil`; it may have expired. The value is a copy.
  ///
  /// Throws `.malformedFileAttributes` if a record is there that is no entry.
  public func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    do { return try table.entry(forKey: key.storageKey) } catch {
      throw explained(error, "read the entry", key)
    }
  }

  /// The expiry of what is stored, or `nil`; does not read the value.
  public func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    do { return try table.expiry(forKey: key.storageKey) } catch {
      throw explained(error, "read the entry", key)
    }
  }

  /// Reads many keys as they were at one moment; those under which nothing is stored are missing from the answer.
  public func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    do {
      return try table.entries(forKeys: keys) { $0.storageKey }
    } catch { throw explained(error, "read the entries") }
  }

  /// Reads a value where it stands in the map, without copying it; `nil` where there is none or it has expired.
  ///
  /// ```swift
  /// let width = try images.withBytes(forKey: "logo") { $0.unsafeLoadUnaligned(fromByteOffset: 16, as: UInt32.self) }
  /// ```
  ///
  /// Worth it for values of many kilobytes of which little is needed. The bytes stay as they are while the closure
  /// runs, whatever is written meanwhile; for that, LMDB keeps all pages that are replaced from then on, in all
  /// processes, and the map cannot grow. So be quick, and wait for nothing inside. To write to a store of the same
  /// folder from inside it throws `.deadlock`. What the closure throws is passed on.
  public func withBytes<R>(forKey key: Key, _ body: (RawSpan) throws -> R) throws -> R? {
    // Only these lines know the type of the result: all below is compiled once.
    var result: R?
    do {
      try table.withBytes(forKey: key.storageKey, by: clock) { result = try body($0.bytes) }
    } catch { throw explained(error, "read the entry", key) }
    return result
  }

  /// The keys of all that is stored and has not expired, in no order, as they were at one moment.
  ///
  /// Looks at every record of the database. What was stored with another type of key is left out.
  public func keys() throws -> [Key] {
    var keys: [Key] = []
    do {
      try table.eachKey(validAt: clock.now) { bytes in
        // A text that is no key, or not the text of that key, belongs to another type.
        if let text = String(validating: bytes, as: UTF8.self), let key = Key(storageKey: text),
          key.storageKey == text
        {
          keys.append(key)
        }
      }
    } catch { throw explained(error, "list the entries") }
    return keys
  }
}
