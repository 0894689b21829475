#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
internal import CRocksDB
import StrataCore

extension Family {
  /// Passes the record of a key to `body`. Returns `nil` if there is none.
  func withRecord<R>(
    _ key: UnsafeRawBufferPointer, caching: Bool = true, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R? {
    let slice = try calling { error in
      rocksdb_get_pinned_cf(
        database, caching ? reading : scanning, handle, key.characters, key.count, error)
    }
    guard let slice else { return nil }
    defer { rocksdb_pinnableslice_destroy(slice) }
    return try body(slice.bytes)
  }

  /// Passes the existing records of many keys to `body`, as a snapshot of one moment.
  func withRecords(
    _ keys: [[UInt8]], _ body: (_ index: Int, _ record: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let count = keys.count
    var slices = [OpaquePointer?](repeating: nil, count: count)
    var errors = [UnsafeMutablePointer<CChar>?](repeating: nil, count: count)
    withPointers(to: keys) { pointers, lengths in
      rocksdb_batched_multi_get_cf(
        database, reading, handle, count, pointers, lengths, &slices, &errors, false)
    }
    defer { for case let slice? in slices { rocksdb_pinnableslice_destroy(slice) } }
    let failures = errors.compactMap { $0.map(taken) }
    if let first = failures.first { throw first }
    for (index, slice) in slices.enumerated() { if let slice { try body(index, slice.bytes) } }
  }

  /// Marks an entry as the most recently used, if uses are recorded.
  func noteUse(of key: UnsafeRawBufferPointer) { sizes.withLock { $0?.touch(Array(key)) } }

  /// Passes keys and records to `body` in ascending order, beginning with `start`, until `body` returns `false`. All
  /// are a snapshot of one moment.
  func scan(
    from start: [UInt8],
    _ body: (_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let iterator: OpaquePointer = rocksdb_create_iterator_cf(database, scanning, handle)
    defer { rocksdb_iter_destroy(iterator) }
    start.withUnsafeBytes { rocksdb_iter_seek(iterator, $0.characters, $0.count) }
    while rocksdb_iter_valid(iterator) != 0 {
      var keyLength = 0
      var recordLength = 0
      let key = rocksdb_iter_key(iterator, &keyLength)
      let record = rocksdb_iter_value(iterator, &recordLength)
      guard
        try body(
          UnsafeRawBufferPointer(start: key, count: keyLength),
          UnsafeRawBufferPointer(start: record, count: recordLength))
      else { return }
      rocksdb_iter_next(iterator)
    }
    try calling { rocksdb_iter_get_error(iterator, $0) }
  }

  /// Passes the keys, expiries and value sizes of entries to `body` in ascending order of the keys, beginning with
  /// `start`, until `body` returns `false`. Skips records of other programs.
  func scanEntries(
    from start: [UInt8] = [RecordKey.entry],
    _ body: (_ key: UnsafeRawBufferPointer, _ expiry: Expiry, _ valueSize: Int) throws -> Bool
  ) throws {
    try scan(from: start) { key, record in
      guard key.first == RecordKey.entry else { return false }
      guard let (expiry, value) = Record.parse(record) else { return true }
      return try body(key, expiry, value.count)
    }
  }
}

/// Passes the addresses and the lengths of keys to `body`.
func withPointers<R>(
  to keys: [[UInt8]], _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int>) throws -> R
) rethrows -> R {
  // One copy of all keys, which keeps all addresses valid at the same time.
  let joined = Array(keys.joined()) + [0]
  let lengths = keys.map(\.count)
  return try joined.withUnsafeBytes { bytes in
    var next = bytes.characters
    let pointers = lengths.map { length -> UnsafePointer<CChar>? in
      defer { next = next.map { $0 + length } }
      return next
    }
    return try body(pointers, lengths)
  }
}

extension UnsafeRawBufferPointer {
  /// The address in the type that RocksDB expects.
  @inline(__always)
  var characters: UnsafePointer<CChar>? { baseAddress?.assumingMemoryBound(to: CChar.self) }
}

extension OpaquePointer {
  /// The bytes of a RocksDB slice.
  @inline(__always)
  fileprivate var bytes: UnsafeRawBufferPointer {
    var count = 0
    let start = rocksdb_pinnableslice_value(self, &count)
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
