import StrataCore

/// What one step of emptying a segment writes.
struct EmptyingStep {
  /// The keys of the entries that are given up.
  private(set) var evicted: [[UInt8]] = []
  /// Their files.
  private(set) var files: [ValueFile] = []
  /// The bytes of the others, which go with their segment.
  private(set) var evictedBytes = 0

  private let clock: StorageClock
  private var room: Int
  private var shortage: Shortage?
  private var heads: [(record: Record, key: [UInt8])] = []
  /// The values of all records that are moved, one after the other.
  private var values: [UInt8] = []

  /// - Parameters:
  ///   - room: How many bytes may be moved.
  ///   - shortage: What has to be given up; `nil` if nothing has to be.
  ///   - size: How many bytes it looks at, more or less.
  init(room: Int, clock: StorageClock, shortage: Shortage?, size: Int) {
    self.room = room
    self.clock = clock
    self.shortage = shortage
    values.reserveCapacity(min(size, room))
  }

  /// Whether files have gone that take as many bytes as were wanted.
  var isEnough: Bool { shortage.map { $0.bytes <= 0 } ?? false }

  /// What is to be appended to the log.
  var records: [NewRecord] {
    var end = 0
    return heads.map { head in
      let start = end
      end += head.record.valueLength
      return NewRecord(record: head.record, key: head.key, value: .part(values[start..<end]))
    }
  }

  /// Decides about a record that counts.
  mutating func take(_ record: Record, _ bytes: UnsafeRawBufferPointer, isUsed: Bool) {
    let key = Array(bytes.part(record.keyRange))
    let isEvicted = shortage.map { $0.isUrgent || $0.surplus > 0 && !isUsed } ?? false
    let cost = record.length + LogView.costOfRecord
    if !isEvicted, !record.expiry.isExpired(by: clock), cost <= room {
      room -= cost
      var moved = record
      moved.batchOffset = 0
      heads.append((moved, key))
      values.append(contentsOf: bytes.part(record.valueRange))
      return
    }
    evicted.append(key)
    shortage?.surplus -= Shortage.withRoom(cost)
    guard record.kind == .file, let file = ValueFile(bytes.part(record.valueRange)) else {
      return evictedBytes += cost
    }
    // The record goes with its segment; but the file goes now, and nobody may look for it.
    let removal = Record(kind: .removal, keyLength: key.count, valueLength: 0, expiry: .never)
    heads.append((removal, key))
    files.append(file)
    shortage?.surplus -= file.size
    shortage?.bytes -= file.size - removal.length
  }
}
