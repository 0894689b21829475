#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// What the thread that writes keeps between writes. Who has it, and the lock of the control file, is the only writer
/// of all.
struct LogWriter: Sendable {
  /// Bytes that were written, or have come to count no more, and for which the log has not been tidied yet.
  var debt = 0
  /// Whether the change that is being made leaves files behind: the next one, in whichever process, deletes and counts
  /// them.
  var isUnfinished = false
  /// The bytes of entries in the oldest segment that were given up, and go with it.
  var evicted = 0
  /// What the oldest segment lists, once it has been read.
  var listing: SegmentListing?
  /// How many bytes of the disk are kept for removals, as far as this process has seen to it.
  var reserve = 0
  /// Whether these have been used, because the disk is full.
  var isShort = false
  /// How many changes were begun.
  var changes = 0
  /// Whether a write may be made by a thread that must not block.
  var pace = AppendPace()

  /// From how many bytes of debt on the log is tidied.
  static let mostDebt = 1 << 16

  /// After how many changes the folder's path is looked at: that takes longer than half of a short write.
  static let changesBetweenLooks = 32
}

/// A record on its way to the log.
struct NewRecord: Sendable {
  var record: Record
  let key: [UInt8]
  let value: Payload

  enum Payload: Sendable {
    case bytes([UInt8])
    case data(Data)

    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      switch self {
      case .bytes(let bytes): try bytes.withUnsafeBytes(body)
      case .data(let data): try data.withUnsafeBytes(body)
      }
    }
  }

  static func value(_ value: Data, key: [UInt8], expiry: Expiry) -> NewRecord {
    NewRecord(
      record: Record(kind: .value, keyLength: key.count, valueLength: value.count, expiry: expiry), key: key,
      value: .data(value))
  }

  static func file(_ file: ValueFile, key: [UInt8], expiry: Expiry) -> NewRecord {
    NewRecord(
      record: Record(kind: .file, keyLength: key.count, valueLength: 16, expiry: expiry), key: key,
      value: .bytes(file.bytes))
  }

  static func removal(_ key: [UInt8]) -> NewRecord {
    NewRecord(
      record: Record(kind: .removal, keyLength: key.count, valueLength: 0, expiry: .never), key: key,
      value: .bytes([]))
  }
}

/// A value that is a file of its own: how a record names it.
struct ValueFile: Equatable, Sendable {
  let number: UInt64
  /// The bytes of the whole file.
  let size: Int

  var name: String { EntryName.value(number) }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number)
    bytes.append(UInt64(size))
    return bytes
  }

  init(number: UInt64, size: Int) {
    self.number = number
    self.size = size
  }

  /// Reads the value of a record of the kind `.file`.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16, let size = Int(exactly: bytes.number(at: 8) as UInt64) else { return nil }
    number = bytes.number(at: 0)
    self.size = size
  }
}
