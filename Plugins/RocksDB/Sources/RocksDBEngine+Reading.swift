internal import CRocksDB
import StrataEngines

extension RocksDBEngine {
  /// Calls `body` with the record under a key; returns `nil` if there is none.
  @specialized(where R == Void)
  public func read<R>(
    _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R? {
    let slice = try calling { error in
      rocksdb_get_pinned_cf(
        family.database, family.reading, family.handle, key.characters, key.count, error)
    }
    guard let slice else { return nil }
    defer { rocksdb_pinnableslice_destroy(slice) }
    return try body(slice.bytes)
  }

  /// Calls `body` with the records under many keys, all from one state of the database. Absent keys are omitted.
  public func read(
    _ keys: [[UInt8]], _ body: (_ index: Int, _ record: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let count = keys.count
    var slices = [OpaquePointer?](repeating: nil, count: count)
    var errors = [UnsafeMutablePointer<CChar>?](repeating: nil, count: count)
    withPointers(to: keys) { pointers, lengths in
      rocksdb_batched_multi_get_cf(
        family.database, family.reading, family.handle, count, pointers, lengths, &slices, &errors, false)
    }
    defer { for case let slice? in slices { rocksdb_pinnableslice_destroy(slice) } }
    let failures = errors.compactMap { $0.map(taken) }
    if let first = failures.first { throw first }
    for (index, slice) in slices.enumerated() { if let slice { try body(index, slice.bytes) } }
  }

  /// Calls `body` with the records from a key on, in ascending order of their keys, until `body` returns `false`. All
  /// records are from one state of the database.
  public func scan(from start: UnsafeRawBufferPointer, _ body: Visitor) throws {
    let iterator: OpaquePointer = rocksdb_create_iterator_cf(
      family.database, family.scanning, family.handle)
    defer { rocksdb_iter_destroy(iterator) }
    rocksdb_iter_seek(iterator, start.characters, start.count)
    while rocksdb_iter_valid(iterator) != 0 {
      var (keyLength, recordLength) = (0, 0)
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
}

/// Calls `body` with the addresses and the lengths of keys.
private func withPointers<R>(
  to keys: [[UInt8]], _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int>) throws -> R
) rethrows -> R {
  // One copy of all keys, so that every address is valid at the same time.
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
  /// The address in the type that RocksDB's functions take.
  @inline(__always)
  var characters: UnsafePointer<CChar>? { baseAddress?.assumingMemoryBound(to: CChar.self) }
}

extension OpaquePointer {
  /// The bytes of a slice returned by RocksDB.
  @inline(__always)
  fileprivate var bytes: UnsafeRawBufferPointer {
    var count = 0
    let start = rocksdb_pinnableslice_value(self, &count)
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
