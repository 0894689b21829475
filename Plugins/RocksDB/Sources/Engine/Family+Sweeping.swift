#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
internal import CRocksDB
import StrataCore

extension Family {
  /// A deadline that has passed, if the entry was not written since.
  struct Passed {
    let deadline: [UInt8]
    let entry: [UInt8]
  }

  /// The number of deadlines processed while all writers wait: some milliseconds.
  private static var sweepStep: Int { 256 }

  /// Removes entries that expired by a date. Visits only these, and entries that expire within the hour.
  func sweep(until now: Date, _ options: OpaquePointer) throws {
    var passed: [Passed] = []
    try scan(from: [RecordKey.deadline]) { key, record in
      guard key.first == RecordKey.deadline else { return false }
      guard let hour = RecordKey.hour(ofDeadline: key), let entry = RecordKey.entry(ofDeadline: key) else {
        return true
      }
      if hour > now { return false }
      guard case .date(let date)? = Record.parse(record)?.expiry, date <= now else { return true }
      passed.append(Passed(deadline: Array(key), entry: entry))
      if passed.count == Self.sweepStep {
        try remove(passed, expiredBy: now, options)
        passed = []
      }
      return true
    }
    try remove(passed, expiredBy: now, options)
  }

  /// Removes deadlines and their entries. An entry that was written since stays, with its deadline.
  func remove(_ passed: [Passed], expiredBy now: Date, _ options: OpaquePointer) throws {
    if passed.isEmpty { return }
    try gate.alone {
      let batch = WriteBatch()
      var removed: [[UInt8]] = []
      for item in passed {
        if case .date(let date)? = try expiry(ofEntry: item.entry) {
          if date <= now {
            batch.remove(item.entry, in: self)
            removed.append(item.entry)
          } else if item.entry.withUnsafeBytes({ RecordKey.deadline(date, ofEntry: $0) }) == item.deadline {
            // Written again meanwhile, to expire within the same hour.
            continue
          }
        }
        batch.remove(item.deadline, in: self)
      }
      try batch.write(to: database, options)
      let gone = removed
      sizes.withLock { sizes in for key in gone { sizes?.remove(key) } }
    }
  }

  private func expiry(ofEntry key: [UInt8]) throws -> Expiry? {
    try key.withUnsafeBytes { key in
      try withRecord(key, caching: false) { Record.parse($0)?.expiry }
    } ?? nil
  }

  /// Removes all entries and deadlines at once, and frees the space of their tables.
  func removeAll(_ options: OpaquePointer) throws {
    try gate.alone {
      let batch = WriteBatch()
      batch.removeAll(in: self)
      try batch.write(to: database, options)
      sizes.withLock { if $0 != nil { $0 = SizeIndex() } }
      // With all writers excluded: the tables now hold only entries removed above, and must not get later ones.
      try RecordKey.withBounds { start, end in
        try calling { rocksdb_delete_file_in_range_cf(database, handle, start, 1, end, 1, $0) }
      }
    }
    // The newest tables, of level 0, cannot be deleted like this; merging removes them. Writers do not wait for it.
    var tableBytes: UInt64 = 0
    rocksdb_property_int_cf(database, handle, "rocksdb.total-sst-files-size", &tableBytes)
    if tableBytes > 0 {
      RecordKey.withBounds { rocksdb_compact_range_cf(database, handle, $0, 1, $1, 1) }
    }
  }
}
