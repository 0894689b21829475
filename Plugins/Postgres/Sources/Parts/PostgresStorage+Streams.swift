#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore
import Synchronization

extension PostgresStorage {
  /// Returns the bytes of an entry, which are read about a megabyte at a time, or `nil` if there is none.
  ///
  /// A value that was written as a stream is stored in parts; any other is read into memory. If a value in parts is
  /// replaced or removed meanwhile, the next part throws `.backendFailed`; a damaged part throws
  /// `.malformedFileAttributes`.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    guard try how.mayRead() else { return nil }
    do {
      if let (value, expiry) = try await divided(key) {
        return value.bytes(range, expiry, in: PostgresParts(store: self), key)
      }
    } catch { throw client.explained(error, "read the entry", key) }
    guard let entry = try await read(key, how) else { return nil }
    return StoredBytes(entry.object, range: range, expiry: entry.expiry)
  }

  /// Returns a new value, which is stored in parts if it is longer than one: in rows of the same table, so that it may
  /// be longer than the 1 GB of a row.
  ///
  /// The parts of a writer that has ended without `discard`, and of a value that was replaced, are removed when a value
  /// is next written as a stream, or by `removeExpiredObjects`; those of a writer not before it has stored nothing for
  /// an hour. The first stream into a table of an earlier version changes the table, for which the role must own it;
  /// otherwise the write throws `.invalidConfiguration`.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try how.refuseAtOnce()
    do { try await reclaim() } catch { throw client.explained(error, "store the entry", key) }
    return DividedWriter(PostgresParts(store: self), key, expiry)
  }

  // MARK: Other operations on values in parts

  /// Returns the value of a key, if it is stored in parts.
  func divided(_ key: Key) async throws -> (value: DividedValue, expiry: Expiry)? {
    let row = RowKey(key)
    let rows = try await run(table.parts.describe) {
      $0.append(row.bytes)
      $0.append(PartStatements.description(row))
    }
    guard rows.count == 1, let description = rows.data(0, 0) else { return nil }
    let value = try DividedValue(reading: description)
    return (value, Expiry(timestamp: rows.integer(0, 1)))
  }

  /// Returns the entry of a key whose row has no value.
  func readParts(_ key: Key) async throws -> Entry<Data>? {
    // Writers that replace the value again and again may come between each two of these reads.
    var attempts = 20
    while true {
      guard let (value, expiry) = try await divided(key) else {
        // It was replaced meanwhile, or its description is gone.
        let rows = try await run(table.read) { $0.append(RowKey(key).bytes) }
        if rows.count == 0 { return nil }
        if let value = rows.data(0, 0) {
          return Entry(object: value, expiry: Expiry(timestamp: rows.integer(0, 1)))
        }
        attempts -= 1
        if attempts == 0 { throw StorageError.unread }
        continue
      }
      do {
        let bytes = value.bytes(nil, expiry, in: PostgresParts(store: self), key)
        return Entry(object: try await bytes.data(), expiry: expiry)
      } catch let error as StorageError where error.isOfReplacement {}
    }
  }

  /// Removes the parts of removed entries; `rows` says for each whether it had parts.
  func removeParts(of rows: Rows) async {
    let hadParts = (0..<rows.count).contains { row in rows.withBytes(row, 0) { $0.first == 1 } ?? false }
    if hadParts { await tidy() }
  }

  /// Removes the parts that a change has left over. Ignores a failure: the change has been made, and the next stream or
  /// sweep removes the parts.
  func tidy() async {
    do { try await reclaim() } catch {}
  }

  /// Removes the parts of replaced and removed values, and of values whose writers have stopped.
  func reclaim() async throws {
    let lapsed = Int((clock.now.timeIntervalSince1970 - stagingLease) * 1e6)
    while true {
      let rows = try await run(table.parts.lost) { $0.append(lapsed) }
      for row in 0..<rows.count {
        guard let owner = rows.withBytes(row, 0, { [UInt8]($0) }), let state = rows.data(row, 1) else {
          continue
        }
        try await removeParts(owner, state)
      }
      if rows.count < 100 { return }
    }
  }

  /// Removes the parts of a value that is being written.
  func removeStaged(_ id: ValueID) async throws {
    let owner = PartStatements.owner(id)
    let rows = try await run(table.parts.isStaged) { $0.append(owner) }
    if rows.count == 0 { return }
    let state = try await run(table.read) { $0.append(owner) }
    if state.count == 1, let state = state.data(0, 0) { try await removeParts(owner, state) }
  }

  /// Removes the parts of an owner, if it is still in the state that was read.
  private func removeParts(_ owner: [UInt8], _ state: Data) async throws {
    let isDisowned = state == Data("D".utf8)
    if !isDisowned {
      let rows = try await run(table.parts.disown) {
        $0.append(owner)
        $0.append(state)
      }
      if rows.changed == 0 { return }
    }
    let parts = [0xFF, 0xFB] + owner.dropFirst(2)
    repeat {
    } while try await run(
      table.parts.remove,
      {
        $0.append(parts)
        $0.append(parts + [0xFF, 0xFF, 0xFF, 0xFF])
      }
    ).changed == 64
    // The owner last, so that a sweep finds the rest if this process ends.
    _ = try await run(table.parts.removeOwner) {
      $0.append(owner)
      $0.append([0xFF, 0xFA] + state.dropFirst())
    }
  }
}

extension TableMaker {
  /// Makes sure that the table can have values in parts.
  func prepareParts(on client: PostgresClient) async throws {
    if takesParts.load(ordering: .relaxed) { return }
    _ = try await run(Statement(table.parts.prepare), on: client)
    takesParts.store(true, ordering: .relaxed)
  }
}
