#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension PostgresStorage {
  /// Returns the entry of a key, or `nil`, in one round trip. The entry may have expired without having been removed.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Data>? {
    do {
      let rows = try await run(table.read) { $0.append(RowKey(key).bytes) }
      if rows.count == 0 { return nil }
      guard let value = rows.data(0, 0) else { throw StorageError.unread }
      return Entry(object: value, expiry: Expiry(timestamp: rows.integer(0, 1)))
    } catch { throw client.explained(error, "read the entry", key) }
  }

  /// Returns the expiry of an entry, or `nil`. Does not read the value.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    do {
      let rows = try await run(table.readExpiry) { $0.append(RowKey(key).bytes) }
      return rows.count == 0 ? nil : Expiry(timestamp: rows.integer(0, 0))
    } catch { throw client.explained(error, "read the expiry", key) }
  }

  /// Reads several keys with one statement, from one state of the table.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Data>] {
    if keys.isEmpty { return [:] }
    do {
      let places = Dictionary(keys.map { (RowKey($0).bytes, $0) }, uniquingKeysWith: { first, _ in first })
      let rows = try await run(table.readMany) { $0.append(arrayOf: Array(places.keys)) }
      var found: [Key: Entry<Data>] = [:]
      found.reserveCapacity(rows.count)
      for row in 0..<rows.count {
        guard let bytes = rows.withBytes(row, 0, { [UInt8]($0) }), let key = places[bytes],
          let value = rows.data(row, 1)
        else { throw StorageError.unread }
        found[key] = Entry(object: value, expiry: Expiry(timestamp: rows.integer(row, 2)))
      }
      return found
    } catch { throw client.explained(error, "read the entries") }
  }
}
