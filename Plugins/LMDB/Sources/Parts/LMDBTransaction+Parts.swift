#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
internal import CLMDB
package import StrataEngines
import Synchronization

/// Values in parts, in databases of their own.
extension LMDBTransaction {
  package func stored(_ text: String) throws -> StoredForm? {
    try RecordKey.with(text) { key in
      guard let record = try record(key) else { return nil }
      return try record.divided.map { .divided($0, record.expiry) } ?? .whole(record.entry)
    }
  }

  /// Returns the entry of a record whose value is stored in parts.
  @inline(never)
  func assembled(_ record: Record) throws -> Entry<Data>? {
    try record.divided.map { Entry(object: try whole($0), expiry: record.expiry) }
  }

  package func put(_ text: String, _ value: DividedValue, _ expiry: Expiry) throws {
    try put(text, value.description, value, expiry)
  }

  // MARK: Parts

  /// The databases. Throws if another process has made them after this one had opened the file for reading only.
  private var databases: (parts: MDB_dbi, owners: MDB_dbi) {
    get throws {
      if let databases = table.partDatabases { return databases }
      throw StorageError.backendFailed.with(
        "the first value in parts was stored after the store was opened for reading only; open the store again"
      )
    }
  }

  package func withPart(
    _ number: Int, of id: ValueID, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    try OwnerKey.part(number, of: id).withUnsafeBytes { key in
      try get(key, from: databases.parts).map(body) != nil
    }
  }

  package func putPart(_ record: Data, _ number: Int, of id: ValueID) throws {
    try OwnerKey.part(number, of: id).withUnsafeBytes { key in
      try record.withUnsafeBytes { record in
        _ = try put(MDB_val(record), key, into: databases.parts, 0)
      }
    }
  }

  package func removeParts(of id: ValueID, atMost count: Int) throws -> Int {
    var keys: [[UInt8]] = []
    let beginning = id.bytes
    try each(in: databases.parts, from: beginning) { key, _ in
      guard key.starts(with: beginning), keys.count < count else { return false }
      keys.append(Array(key))
      return true
    }
    for key in keys { try key.withUnsafeBytes { try delete($0, from: databases.parts) } }
    return keys.count
  }

  // MARK: Owners

  package func owner(of id: ValueID) throws -> PartOwner? {
    for state: UInt8 in 0...2 {
      let owner = try OwnerKey.bytes(state, id).withUnsafeBytes { key in
        try get(key, from: databases.owners).flatMap { OwnerKey.owner(state, $0) }
      }
      if let owner { return owner }
    }
    return nil
  }

  package func setOwner(_ owner: PartOwner?, of id: ValueID) throws {
    for state: UInt8 in 0...2 {
      try OwnerKey.bytes(state, id).withUnsafeBytes { try delete($0, from: databases.owners) }
    }
    guard let owner else { return }
    if owner == .nobody { table.mayHaveDisowned.store(true, ordering: .relaxed) }
    let (state, value) = OwnerKey.item(owner)
    try OwnerKey.bytes(state, id).withUnsafeBytes { key in
      try value.withUnsafeBytes { _ = try put(MDB_val($0), key, into: databases.owners, 0) }
    }
  }

  package func mayHaveDisowned() -> Bool { table.mayHaveDisowned.load(ordering: .relaxed) }

  package func disowned(atMost count: Int) throws -> [ValueID] {
    guard let owners = table.partDatabases?.owners, try statistics(of: owners).ms_entries > 0 else {
      return []
    }
    var ids: [ValueID] = []
    try each(in: owners) { key, _ in
      guard key.first == 0, let id = OwnerKey.id(key), ids.count < count else { return false }
      ids.append(id)
      return true
    }
    if ids.isEmpty { table.mayHaveDisowned.store(false, ordering: .relaxed) }
    return ids
  }

  package func eachOwner(all: Bool, _ body: (ValueID, PartOwner) throws -> Void) throws {
    guard let owners = table.partDatabases?.owners else { return }
    try each(in: owners, from: [1]) { key, value in
      guard let state = key.first, state == 1 || all && state == 2 else { return false }
      if let id = OwnerKey.id(key), let owner = OwnerKey.owner(state, value) { try body(id, owner) }
      return true
    }
  }

  /// Notes that the parts of all entries belong to nobody.
  func disownAll() throws {
    guard let owners = table.partDatabases?.owners else { return }
    var ids: [ValueID] = []
    try eachOwner(all: true) { id, owner in if case .entry = owner { ids.append(id) } }
    for id in ids { try setOwner(.nobody, of: id) }
    try OwnerKey.total.withUnsafeBytes { try delete($0, from: owners) }
  }

  // MARK: The size of parts

  /// Returns the number of bytes of the pages of parts that belong to entries.
  ///
  /// LMDB knows the size of a database, but that of the parts also has those of writers, and of replaced values.
  func sizeOfParts() throws -> Int {
    guard let owners = table.partDatabases?.owners, try statistics(of: owners).ms_entries > 0 else {
      return 0
    }
    return try OwnerKey.total.withUnsafeBytes { key in
      try get(key, from: owners).flatMap { $0.count == 8 ? $0.number(at: 0) as Int : nil }
    } ?? 0
  }

  /// Adds the parts of a value to the size, or with the sign -1 subtracts them.
  func countParts(_ value: DividedValue, _ sign: Int) throws {
    let total = max(try sizeOfParts() + sign * table.size(ofParts: value), 0)
    try withUnsafeBytes(of: total.littleEndian) { total in
      try OwnerKey.total.withUnsafeBytes { key in
        _ = try put(MDB_val(total), key, into: databases.owners, 0)
      }
    }
  }
}
