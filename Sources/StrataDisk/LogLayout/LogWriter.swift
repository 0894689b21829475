#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The writer's state between writes. Only the thread that holds it and the control file's lock may write.
struct LogWriter: Sendable {
  /// Bytes written, or become dead, for which no compaction has been done yet.
  var debt = 0
  /// Whether the current change leaves files behind, which the next change, in any process, deletes and recounts.
  var isUnfinished = false
  /// The bytes of evicted entries in a segment, which are deleted with it.
  private var evicted = (segment: 0, bytes: 0)
  /// The table of contents of the oldest segment, once it has been read.
  var listing: SegmentListing?
  /// Memory for reading the oldest segment.
  var memory: [UInt8] = []
  /// The bytes of disk space reserved for removals, as last seen by this process.
  var reserve = 0
  /// Whether the reserve has been used, because the disk is full.
  var isShort = false
  /// The number of checks of the folder's path until the disk's free space is checked again.
  var looksBeforeCheck = 0
  /// Files in `Values` that no record names, and that this process could not delete: a `StoredFile` kept them in place,
  /// or the system refused.
  var held: [String] = []
  /// The number of changes so far.
  var changes = 0
  /// Whether a write may be made by a thread that must not block.
  var pace = AppendPace()

  /// The debt, in bytes, from which the log is tidied.
  static let mostDebt = 1 << 16

  /// The number of changes between two checks of the folder's path, which take longer than half of a short write.
  static let changesBetweenLooks = 32

  /// Returns the bytes of evicted entries, if they are in this segment. Another process may have deleted their segment.
  func evicted(from segment: Int) -> Int { evicted.segment == segment ? evicted.bytes : 0 }

  mutating func evict(_ bytes: Int, from segment: Int) {
    evicted = (segment, evicted(from: segment) + bytes)
  }
}

/// A record that is about to be appended to the log.
struct NewRecord: Sendable {
  var record: Record
  let key: [UInt8]
  let value: Data

  init(_ kind: Record.Kind, _ key: [UInt8], _ value: Data, _ expiry: Expiry) {
    record = Record(kind: kind, keyLength: key.count, valueLength: value.count, expiry: expiry)
    self.key = key
    self.value = value
  }

  /// A record that contains the value of an entry.
  init(_ entry: NewEntry) { self.init(.value, entry.key, entry.value, entry.expiry) }

  static func file(_ file: ValueFile, key: [UInt8], expiry: Expiry) -> NewRecord {
    NewRecord(.file, key, Data(file.bytes), expiry)
  }

  static func parts(_ table: PartTable, key: [UInt8], expiry: Expiry) -> NewRecord {
    NewRecord(.parts, key, Data(table.bytes), expiry)
  }

  static func removal(_ key: [UInt8]) -> NewRecord { NewRecord(.removal, key, Data(), .never) }

  /// The bytes that it takes in the log.
  var length: Int { record.length }

  /// The bytes that it takes if its value is a file of its own.
  var lengthWithFile: Int {
    Record.length(Record.headerSize + key.count + 16) + EntryHeader.size + key.count + value.count
  }
}

/// The file of a value, as a record names it.
struct ValueFile: Equatable, Sendable {
  let number: UInt64
  /// The bytes of the whole file.
  let size: Int
  /// Whether the file contains the value and nothing else. Then a user may have its path, and keep it in place.
  var isPlain = false

  var name: String { isPlain ? EntryName.plainValue(number) : EntryName.value(number) }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: number)
    bytes.append(littleEndian: UInt64(size))
    return bytes
  }

  init(number: UInt64, size: Int) {
    self.number = number
    self.size = size
  }

  init(_ table: PartTable) {
    number = table.number
    size = table.length
    isPlain = true
  }

  /// Reads the value of a record that names a file. `bytes` begin with the record. `nil` for any other record, and if
  /// its value is impossible.
  init?(of record: Record, _ bytes: UnsafeRawBufferPointer) {
    let value = bytes.part(record.valueRange)
    switch record.kind {
    case .file:
      guard value.count == 16, let size = Int(exactly: value.number(at: 8) as UInt64) else { return nil }
      self.init(number: value.number(at: 0), size: size)
    case .parts:
      guard let table = PartTable(value) else { return nil }
      self.init(table)
    case .value, .removal, .contents, .void: return nil
    }
  }
}
