#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The parts of the values of a `PostgresStorage`. Each call is one statement.
struct PostgresParts<Key: StorageKey>: PartPlace {
  let store: PostgresStorage<Key>

  private var statements: PartStatements { store.table.parts }
  var clock: StorageClock { store.clock }

  func bytes(_ numbers: Range<Int>, of value: DividedValue, _ key: Key) async throws -> Data? {
    try await explaining("read the entry", key) {
      let keys = numbers.map { PartStatements.part($0, of: value.id) }
      let rows = try await store.run(store.table.readMany) { $0.append(arrayOf: keys) }
      var places: [[UInt8]: Int] = [:]
      for row in 0..<rows.count { if let key = rows.withBytes(row, 0, { [UInt8]($0) }) { places[key] = row } }
      return try value.assembled(numbers) { number, body in
        guard let row = places[keys[number - numbers.lowerBound]] else { return false }
        // The errors of `body` leave the closure of a function that throws none.
        return try rows.withBytes(row, 1) { bytes in Result { try body(bytes) } }?.get() != nil
      }
    }
  }

  func has(_ key: Key, _ value: DividedValue) async throws -> Bool {
    try await explaining("read the entry", key) { try await store.divided(key)?.value == value }
  }

  func store(_ records: [Data], from number: Int, of id: ValueID, _ key: Key) async throws {
    try await explaining("store a part of the entry", key) {
      let isFirst = number == 0 && !records.isEmpty
      if isFirst { try await store.maker.prepareParts(on: store.client) }
      let query = records.isEmpty ? statements.renew : isFirst ? statements.begin : statements.append
      let rows = try await store.run(query) {
        $0.append(PartStatements.owner(id))
        $0.append(PartStatements.staging(clock))
        if records.isEmpty { return }
        $0.append(arrayOf: records.indices.map { PartStatements.part(number + $0, of: id) })
        $0.append(arrayOf: records)
      }
      if rows.changed == 0 { throw StorageError.stagedPartsLost }
    }
  }

  func commit(_ value: Data, _ key: Key, _ expiry: Expiry?, ifAbsent: Bool) async throws -> Bool {
    try await store.change(key, ifAbsent ? .setIfAbsent(value, expiry) : .set(value, expiry), [])
  }

  func commit(_ value: DividedValue, _ key: Key, _ expiry: Expiry?, ifAbsent: Bool) async throws -> Bool {
    try await explaining("store the entry", key) {
      let row = RowKey(key)
      let lease = StorageLease.current(issuedBy: store)
      let rows = try await store.run(lease == nil ? statements.commit : statements.commitUnderLease) {
        $0.append(row)
        $0.append(expiry ?? store.expiry, by: clock)
        $0.append(PartStatements.owner(value.id))
        $0.append(PartStatements.live(row))
        $0.append(PartStatements.description(row))
        $0.append(value.description)
        if ifAbsent { $0.appendNow(clock) } else { $0.appendNull() }
        guard let lease else { return }
        $0.append(row.lease.bytes)
        $0.append("\(lease.token)".utf8)
      }
      if rows.changed > 0 {
        let store = store
        Task { await store.tidy() }
        return true
      }
      let staged = try await store.run(statements.isStaged) { $0.append(PartStatements.owner(value.id)) }
      if staged.count == 0 { throw StorageError.stagedPartsLost }
      if lease != nil, !ifAbsent { throw StorageError.leaseLost }
      return false
    }
  }

  func discard(_ id: ValueID, _ key: Key) async {
    // In a task of its own, so that it is also done if this one is cancelled.
    let store = store
    await Task {
      do { try await store.removeStaged(id) } catch {
        // A sweep removes parts whose writer has stopped.
      }
    }.value
  }

  func explained(_ error: StorageError, _ key: Key) -> any Error {
    error.key == nil ? store.client.explained(error, "read the entry", key) : error
  }

  private func explaining<R>(_ aim: String, _ key: Key, _ body: () async throws -> R) async throws -> R {
    do { return try await body() } catch { throw store.client.explained(error, aim, key) }
  }
}
