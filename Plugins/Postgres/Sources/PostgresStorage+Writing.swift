#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension PostgresStorage {
  /// The number of rows that one statement of a sweep or of `removeAll` removes.
  private static var pageSize: Int { 10_000 }

  /// Stores bytes in place of the old value, in one round trip. Without `expiry`, the store's default applies.
  ///
  /// Throws `.tooLarge` for more than 1 GB. If the server refuses the write, the old value is still there. A write is
  /// sent once: if the connection is lost before the reply, it throws `.backendFailed`, and the value may or may not be
  /// stored.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) async throws {
    do {
      try check(size: object.count)
      if let lease = StorageLease.current(issuedBy: self) {
        return try await set(object, key, expiry ?? self.expiry, under: lease)
      }
      _ = try await run(table.write) { append(object, key, expiry, to: &$0) }
    } catch { throw client.explained(error, "store the entry", key) }
  }

  /// Appends a row to the parameters of a statement.
  func append(_ object: Data, _ key: Key, _ expiry: Expiry?, to parameters: inout Parameters) {
    parameters.append(RowKey(key))
    parameters.append(object)
    parameters.append(expiry ?? self.expiry, by: clock)
  }

  /// Stores several values with one statement: all or none.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) async throws {
    if objects.isEmpty { return }
    do {
      // Rows are written in the order of their keys, so that concurrent batches cannot deadlock. Keys with the same
      // text are one row.
      let rows = Dictionary(
        objects.map { (RowKey($0.key), $0.value) }, uniquingKeysWith: { _, last in last }
      ).sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
      try check(size: rows.reduce(0) { $0 + $1.key.bytes.count + ($1.key.name?.count ?? 0) + $1.value.count })
      let lease = StorageLease.current(issuedBy: self)
      let result = try await run(lease == nil ? table.writeMany : table.writeManyUnderLease) {
        $0.append(arrayOf: rows.map(\.key.bytes))
        $0.append(arrayOf: rows.map(\.key.name))
        $0.append(arrayOf: rows.map(\.value))
        $0.append(expiry ?? self.expiry, by: clock)
        guard let lease else { return }
        $0.append(arrayOf: rows.map(\.key.lease.bytes))
        $0.append("\(lease.token)".utf8)
      }
      if lease != nil, result.changed == 0 { throw StorageError.leaseLost }
    } catch { throw client.explained(error, "store the entries") }
  }

  /// Removes the entry of a key, if there is one.
  public func removeObject(forKey key: Key) async throws {
    do {
      _ = try await run(table.remove) { $0.append(RowKey(key).bytes) }
    } catch { throw client.explained(error, "remove the entry", key) }
  }

  /// Removes the entries of several keys with one statement: all or none.
  public func removeObjects(forKeys keys: [Key]) async throws {
    if keys.isEmpty { return }
    do {
      _ = try await run(table.removeMany) { $0.append(arrayOf: keys.map { RowKey($0).bytes }) }
    } catch { throw client.explained(error, "remove the entries") }
  }

  /// Removes all entries, 10 000 with each statement. Entries stored meanwhile may or may not be removed.
  public func removeAll() async throws {
    do {
      while try await run(table.removePage, { $0.append(Self.pageSize) }).changed > 0 {}
    } catch { throw client.explained(error, "remove all entries") }
  }

  /// Removes the expired entries, 10 000 with each statement, by the index of their dates. Memory in front of the store
  /// receives no invalidations for them: it expires entries itself.
  public func removeExpiredObjects() async throws {
    do {
      let now = Expiry.date(clock.now)
      while try await run(
        table.sweepPage,
        {
          $0.append(now, by: clock)
          $0.append(Self.pageSize)
        }
      ).changed == Self.pageSize {}
    } catch { throw client.explained(error, "remove the expired entries") }
  }
}
