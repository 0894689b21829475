#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension PostgresStorage: ConditionalStorage {}

extension PostgresStorage: CountingStorage {
  /// Adds to a number that is stored as digits, in one round trip, and returns the sum.
  ///
  /// An absent or expired number counts as 0, and gets the store's default expiry; an existing one keeps its expiry.
  /// Throws `.typeNotMatch`, and changes nothing, if the value is not an integer or the sum exceeds 64 bits.
  public func increment(forKey key: Key, by amount: Int) async throws -> Int {
    do {
      let rows = try await run(table.add) {
        $0.append(RowKey(key))
        $0.append(amount)
        $0.append(expiry, by: clock)
        $0.appendNow(clock)
      }
      if rows.count == 1, rows.text(0, 0) == nil {
        throw StorageError.typeNotMatch.with(
          "the stored value is not an integer of 64 bits in decimal digits")
      }
      guard rows.count == 1, let sum = rows.text(0, 0).flatMap({ Int($0) }) else { throw StorageError.unread }
      return sum
    } catch { throw client.explained(error, "count", key) }
  }
}

extension PostgresStorage: UpdateableStorage {
  /// Reads, modifies and stores a value, atomically for all processes, and returns the stored value. The expiry is
  /// unchanged.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing is changed. No lock is held while `modify`
  /// runs: if another client changes the entry meanwhile, `modify` runs again on the new value. It throws
  /// `.backendFailed` if that continues for longer than `PostgresConfig.timeout`, or if the connection is lost and it
  /// is unknown whether the change was made: a change is never made twice.
  ///
  /// Takes two round trips. Updates of one key through this store take turns.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) async throws -> Data {
    do {
      let end = ContinuousClock.now + client.config.timeout
      return try await updates.withTurn(.key(key)) {
        while true {
          let row = RowKey(key).bytes
          let rows = try await run(table.read) { $0.append(row) }
          guard rows.count == 1, !Expiry(timestamp: rows.integer(0, 1)).isExpired(by: clock) else {
            throw StorageError.notFound
          }
          // If a value in parts is replaced after it was read, its row is another one too.
          var old = rows.data(0, 0)
          if old == nil { old = try await readParts(key)?.object }
          guard var value = old else { throw StorageError.notFound }
          try modify(&value)
          try check(size: value.count)
          let new = value
          // The system column `xmin` of a row differs after each change.
          if try await replace(key, with: new, version: rows.data(0, 2)) { return new }
          if ContinuousClock.now > end {
            throw StorageError.backendFailed.with(
              "other clients changed the entry during each attempt of the last \(client.config.timeout): try again later"
            )
          }
        }
      }
    } catch { throw client.explained(error, "update the entry", key) }
  }

  /// Stores a value in place of the one with a version, if the lease, if any, is still held. Returns whether the row
  /// has that version.
  private func replace(_ key: Key, with new: Data, version: Data?) async throws -> Bool {
    let row = RowKey(key)
    func append(to parameters: inout Parameters) {
      parameters.append(row.bytes)
      parameters.append(new)
      if let version { parameters.append(version) } else { parameters.appendNull() }
    }
    guard let lease = StorageLease.current(issuedBy: self) else {
      return try await run(table.replace) { append(to: &$0) }.changed > 0
    }
    let rows = try await run(table.replaceUnderLease) {
      append(to: &$0)
      $0.append(row.lease.bytes)
      $0.append("\(lease.token)".utf8)
    }
    if rows.integer(0, 0) != 1 { throw StorageError.leaseLost }
    return rows.integer(0, 1) == 1
  }
}
