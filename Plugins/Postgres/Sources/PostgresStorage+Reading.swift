#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension PostgresStorage {
  /// Returns the entry of a key, or `nil`, in one round trip. The entry may have expired without having been removed.
  /// If only the expiry is wanted, the server does not read the value.
  public func read(_ key: Key, _ how: How) async throws -> Entry<Data>? {
    guard try how.mayRead() else { return nil }
    let isBrief = how.contains(.expiryOnly)
    do {
      let rows = try await run(isBrief ? table.readExpiry : table.read) { $0.append(RowKey(key).bytes) }
      if rows.count == 0 { return nil }
      if isBrief { return Entry(expiry: Expiry(timestamp: rows.integer(0, 0))) }
      guard let value = rows.data(0, 0) else { return try await readParts(key) }
      return Entry(object: value, expiry: Expiry(timestamp: rows.integer(0, 1)))
    } catch { throw client.explained(error, isBrief ? "read the expiry" : "read the entry", key) }
  }

  /// Reads several keys with one statement, from one state of the table.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Data>] {
    if !how.allowsBatch { return try await readEach(keys, how) }
    if keys.isEmpty { return [:] }
    do {
      let places = Dictionary(keys.map { (RowKey($0).bytes, $0) }, uniquingKeysWith: { first, _ in first })
      let rows = try await run(table.readMany) { $0.append(arrayOf: Array(places.keys)) }
      var found: [Key: Entry<Data>] = [:]
      found.reserveCapacity(rows.count)
      for row in 0..<rows.count {
        guard let bytes = rows.withBytes(row, 0, { [UInt8]($0) }), let key = places[bytes] else {
          throw StorageError.unread
        }
        guard let value = rows.data(row, 1) else {
          found[key] = try await readParts(key)
          continue
        }
        found[key] = Entry(object: value, expiry: Expiry(timestamp: rows.integer(row, 2)))
      }
      return found
    } catch { throw client.explained(error, "read the entries") }
  }
}
