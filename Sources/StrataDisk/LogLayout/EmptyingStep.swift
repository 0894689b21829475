import StrataCore

/// The result of one step of emptying a segment: records to move, and entries to evict.
struct EmptyingStep {
  /// The keys of evicted entries, if `notesKeys` is set.
  private(set) var evicted: [[UInt8]] = []
  /// The files of evicted entries.
  private(set) var files: [ValueFile] = []
  /// The bytes of evicted packed entries, which are deleted with their segment.
  private(set) var evictedBytes = 0
  /// The number of entries that were evicted, and of those that had expired.
  private(set) var evictions = 0
  private(set) var expiries = 0
  /// The least version of a segment that may contain the moved records.
  private(set) var version: UInt32 = 1
  /// The records to append to the log, once they are sealed for their new location.
  var moved: [UInt8] = []

  private let clock: StorageClock
  private var room: Int
  private var shortage: Shortage?
  /// Whether the keys of evicted entries are recorded.
  let notesKeys: Bool

  /// - Parameters:
  ///   - room: The number of bytes that may be moved.
  ///   - shortage: The amount to evict; `nil` to evict nothing.
  ///   - size: The approximate number of bytes that the step examines.
  ///   - notesKeys: Whether the keys of evicted entries are recorded.
  init(room: Int, clock: StorageClock, shortage: Shortage?, size: Int, notesKeys: Bool) {
    self.room = room
    self.clock = clock
    self.shortage = shortage
    self.notesKeys = notesKeys
    // The allocator would return a larger buffer to the system, and allocate it anew, in each step.
    moved.reserveCapacity(max(0, min(size, room, 1 << 16)))
  }

  /// Whether the evicted files have freed the bytes that were needed.
  var isEnough: Bool { shortage.map { $0.bytes <= 0 } ?? false }

  /// Returns whether an entry with a record of this length is evicted instead of moved.
  ///
  /// - Parameter fileSize: The bytes of its file, if its value has one.
  func givesUp(_ length: Int, fileSize: Int = 0, isUsed: Bool) -> Bool {
    if length + LogView.costOfRecord > room { return true }
    return shortage.map { $0.isUrgent || !isUsed && $0.evicts(fileSize: fileSize) } ?? false
  }

  /// Evicts a packed entry with a record of this length, which is deleted with its segment.
  mutating func giveUp(_ length: Int) {
    let cost = length + LogView.costOfRecord
    shortage?.giveUp(cost)
    evictedBytes += cost
    evictions += 1
  }

  /// Moves or evicts the entry of a live record. `bytes` are the whole record.
  mutating func take(_ record: Record, _ bytes: UnsafeRawBufferPointer, isUsed: Bool) {
    let file = ValueFile(of: record, bytes)
    let hasExpired = record.expiry.isExpired(by: clock)
    if !hasExpired, !givesUp(record.length, fileSize: file?.size ?? 0, isUsed: isUsed) {
      room -= record.length + LogView.costOfRecord
      version = max(version, record.kind.segmentVersion)
      moved.append(contentsOf: bytes)
      return
    }
    let key = bytes.part(record.keyRange)
    if notesKeys { evicted.append(Array(key)) }
    if hasExpired { expiries += 1 }
    guard let file else {
      giveUp(record.length)
      if hasExpired { evictions -= 1 }
      return
    }
    if !hasExpired { evictions += 1 }
    shortage?.giveUp(record.length + LogView.costOfRecord)
    // The record is deleted with its segment. The file is deleted now, so a removal record must hide the entry.
    let removal = Record(kind: .removal, keyLength: key.count, valueLength: 0, expiry: .never)
    withBuffer(removal.length) { buffer in
      removal.put(into: buffer, key: key, value: .init(start: nil, count: 0))
      // Sealing fills in the checksums later.
      buffer.part(0..<12).initializeMemory(as: UInt8.self, repeating: 0)
      moved.append(contentsOf: buffer)
    }
    files.append(file)
    shortage?.surplus -= file.size
    shortage?.bytes -= file.size - removal.length
  }
}
