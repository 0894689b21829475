#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension PostgresStorage {
  /// The number of rows that one statement of a sweep or of `removeAll` removes.
  private static var pageSize: Int { 10_000 }

  /// Changes one key, in one round trip, and returns whether it was changed. Without an expiry, the store's default
  /// applies. Of concurrent callers of `setIfAbsent` on all machines, one succeeds. `touch` does not read the value.
  ///
  /// Throws `.tooLarge` for more than 1 GB. If the server refuses the write, the old value is still there. A write is
  /// sent once: if the connection is lost before the reply, it throws `.backendFailed`, and the change may or may not
  /// be made.
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    try how.refuseAtOnce()
    do {
      if change.hasObject { try check(size: change.object.count) }
      switch change.kind {
      case .set(let expiry), .replace(let expiry):
        if let lease = StorageLease.current(issuedBy: self) {
          try await set(change.object, key, expiry ?? self.expiry, under: lease)
        } else {
          _ = try await run(table.write) { append(change.object, key, expiry, to: &$0) }
        }
      case .setIfAbsent(let expiry):
        return try await run(table.writeIfAbsent) {
          append(change.object, key, expiry, to: &$0)
          $0.appendNow(clock)
        }.changed > 0
      case .touch(let expiry):
        return try await run(table.touch) {
          $0.append(RowKey(key).bytes)
          $0.append(expiry, by: clock)
          $0.appendNow(clock)
        }.changed > 0
      case .remove:
        let rows = try await run(table.remove) { $0.append(RowKey(key).bytes) }
        await removeParts(of: rows)
      case .forget: break
      }
      return true
    } catch { throw client.explained(error, change.kind.aim, key) }
  }

  /// Appends a row to the parameters of a statement.
  func append(_ object: Data, _ key: Key, _ expiry: Expiry?, to parameters: inout Parameters) {
    parameters.append(RowKey(key))
    parameters.append(object)
    parameters.append(expiry ?? self.expiry, by: clock)
  }

  /// Changes several keys with one statement: all or none. Values with different expiries are stored with one statement
  /// for each expiry.
  public func change(_ batch: StoreBatch<Key, Data>, _ how: How) async throws {
    try how.refuseAtOnce()
    do {
      if case .remove(let keys) = batch, !keys.isEmpty {
        let rows = try await run(table.removeMany) { $0.append(arrayOf: keys.map { RowKey($0).bytes }) }
        await removeParts(of: rows)
      }
      for (expiry, objects) in batch.byExpiry { try await store(objects, expiry) }
    } catch { throw client.explained(error, batch.aim) }
  }

  private func store(_ objects: [Key: Data], _ expiry: Expiry?) async throws {
    if objects.isEmpty { return }
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
  }

  /// Removes all entries, or the expired ones by the index of their dates, 10 000 with each statement.
  ///
  /// Entries stored meanwhile may or may not be removed. Memory in front of the store receives no invalidations for
  /// expired entries: it expires entries itself.
  public func clear(_ extent: StoreExtent) async throws {
    do {
      switch extent {
      case .everything:
        while try await run(table.removePage, { $0.append(Self.pageSize) }).changed > 0 {}
        await tidy()
      case .expired:
        let now = Expiry.date(clock.now)
        while try await run(
          table.sweepPage,
          {
            $0.append(now, by: clock)
            $0.append(Self.pageSize)
          }
        ).changed == Self.pageSize {}
        try await reclaim()
      }
    } catch { throw client.explained(error, extent.aim) }
  }
}
