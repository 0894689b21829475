#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import StrataAlgebra
public import StrataCore

extension StorageAware where Key == String, Value == Data {
  /// Returns this store with large values in parts, so that values of any size can be streamed in little memory.
  ///
  /// A value of more than 256 KiB is stored in parts of that size, also by `setObject`. The entry of its key describes
  /// the parts, which are entries of this store under keys that begin with `strata-part-`. The result does not list
  /// them.
  ///
  /// ```swift
  /// let films = memcached.inParts()
  /// try await films.write(forKey: "intro", from: upload.body)
  /// ```
  ///
  /// - A reader gets all of one value or an error: each part has a checksum that is bound to its value and its place.
  /// - A value is replaced by one write of its entry, after all parts. Parts that no entry has any more are removed
  ///   with the change. `removeExpiredObjects()` removes those of expired values and of writers that were killed, an
  ///   hour after their last part; so does the first stream that is written, and then one an hour.
  /// - A write reads the old entry first, to find its parts. Values of up to 256 KiB are stored as in this store, and
  ///   those that this store has already can be read.
  /// - If this store evicts one part, reads of the value throw `.malformedFileAttributes` until it is stored again.
  ///
  /// Use the result for all reads and writes of this store.
  public func inParts() -> some StorageAware<String, Data> {
    PartedStorage(
      mapKeys(mapTo: SharedKeys.entry, mapFrom: SharedKeys.ofEntry),
      parts: mapKeys(mapTo: SharedKeys.part, mapFrom: SharedKeys.ofPart))
  }
}

extension StorageAware where Key: StorageKey, Value == Data {
  /// Returns this store with large values in parts that another store has.
  ///
  /// Works like `inParts()`, for any type of keys and without parts among the keys of this store. The store of the
  /// parts serves this store only, does not evict, and may do without expiry.
  ///
  /// ```swift
  /// let films = memcached.inParts(in: disk)   // Entries on a server, and their parts on a disk.
  /// ```
  public func inParts(in parts: some StorageAware<String, Data>) -> some StorageAware<Key, Data> {
    PartedStorage(self, parts: parts)
  }
}

extension SyncStorageAware where Key == String, Value == Data {
  /// Returns this store with large values in parts.
  ///
  /// Works like `inParts()` of `StorageAware`; the result can also be used without `await`.
  public func inParts() -> some SyncStorageAware<String, Data> {
    PartedStorage(
      mapKeys(mapTo: SharedKeys.entry, mapFrom: SharedKeys.ofEntry),
      parts: mapKeys(mapTo: SharedKeys.part, mapFrom: SharedKeys.ofPart))
  }
}

extension SyncStorageAware where Key: StorageKey, Value == Data {
  /// Returns this store with large values in parts that another store has.
  ///
  /// Works like `inParts(in:)` of `StorageAware`; the result can also be used without `await`.
  public func inParts(in parts: some SyncStorageAware<String, Data>) -> some SyncStorageAware<Key, Data> {
    PartedStorage(self, parts: parts)
  }
}

/// The keys of a store that has the entries and their parts. Those of parts begin with `strata-part-`, and keys of
/// users that begin so are stored with `~` behind it.
private enum SharedKeys {
  private static let prefix = "strata-part-"
  private static let escape = prefix + "~"

  /// Returns the key of an entry for a stored key, or `nil` if that is one of a part.
  @Sendable static func entry(_ key: String) -> String? {
    key.hasPrefix(escape) ? String(key.dropFirst(escape.count)) : key.hasPrefix(prefix) ? nil : key
  }

  @Sendable static func ofEntry(_ key: String) -> String { key.hasPrefix(prefix) ? escape + key : key }

  /// Returns the key of a part for a stored key, or `nil` if that is one of an entry.
  @Sendable static func part(_ key: String) -> String? {
    key.hasPrefix(prefix) && !key.hasPrefix(escape) ? String(key.dropFirst(prefix.count)) : nil
  }

  @Sendable static func ofPart(_ key: String) -> String { prefix + key }
}
