import StrataCore

/// What one step of emptying a segment writes.
struct EmptyingStep {
  /// The keys of the entries that are given up, if anybody has to know them.
  private(set) var evicted: [[UInt8]] = []
  /// The files of entries that are given up.
  private(set) var files: [ValueFile] = []
  /// The bytes of the others, which go with their segment.
  private(set) var evictedBytes = 0
  /// What is to be appended to the log, once it is made records of that place.
  var moved: [UInt8] = []

  private let clock: StorageClock
  private var room: Int
  private var shortage: Shortage?
  /// Whether the keys of what is given up are to be known.
  let notesKeys: Bool

  /// - Parameters:
  ///   - room: How many bytes may be moved.
  ///   - shortage: What has to be given up; `nil` if nothing has to be.
  ///   - size: How many bytes it looks at, more or less.
  ///   - notesKeys: Whether the keys of what is given up are to be known.
  init(room: Int, clock: StorageClock, shortage: Shortage?, size: Int, notesKeys: Bool) {
    self.room = room
    self.clock = clock
    self.shortage = shortage
    self.notesKeys = notesKeys
    moved.reserveCapacity(max(0, min(size, room)))
  }

  /// Whether files have gone that take as many bytes as were wanted.
  var isEnough: Bool { shortage.map { $0.bytes <= 0 } ?? false }

  /// Whether an entry is given up whose record is so long, instead of being moved.
  func givesUp(_ length: Int, isUsed: Bool) -> Bool {
    if length + LogView.costOfRecord > room { return true }
    return shortage.map { $0.isUrgent || $0.surplus > 0 && !isUsed } ?? false
  }

  /// Gives up an entry whose record is so long: it goes with its segment.
  mutating func giveUp(_ length: Int) {
    let cost = length + LogView.costOfRecord
    shortage?.giveUp(cost)
    evictedBytes += cost
  }

  /// Decides about a record that counts. `bytes` are all of it.
  mutating func take(_ record: Record, _ bytes: UnsafeRawBufferPointer, isUsed: Bool) {
    if !givesUp(record.length, isUsed: isUsed), !record.expiry.isExpired(by: clock) {
      room -= record.length + LogView.costOfRecord
      moved.append(contentsOf: bytes)
      return
    }
    let key = bytes.part(record.keyRange)
    if notesKeys { evicted.append(Array(key)) }
    guard record.kind == .file, let file = ValueFile(bytes.part(record.valueRange)) else {
      return giveUp(record.length)
    }
    shortage?.giveUp(record.length + LogView.costOfRecord)
    // The record goes with its segment; but the file goes now, and nobody may look for it.
    let removal = Record(kind: .removal, keyLength: key.count, valueLength: 0, expiry: .never)
    withBuffer(removal.length) { buffer in
      removal.put(into: buffer, key: key, value: .init(start: nil, count: 0))
      // The checksums come later.
      buffer.part(0..<12).initializeMemory(as: UInt8.self, repeating: 0)
      moved.append(contentsOf: buffer)
    }
    files.append(file)
    shortage?.surplus -= file.size
    shortage?.bytes -= file.size - removal.length
  }
}
