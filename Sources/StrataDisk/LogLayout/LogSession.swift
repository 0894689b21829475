import StrataCore
import Synchronization

/// What a log is opened with.
struct LogOptions: Sendable {
  let folder: EntryFolder
  /// The bytes that all files may have; `nil` for no limit.
  let limit: Int?
  let durability: DiskDurability
  let protection: FileProtection
  let clock: StorageClock
  /// From how many bytes on a value is a file of its own.
  let fileThreshold: Int
  /// What lies in the folder and is not the log's yet.
  let old: OldEntries
  /// Told of what no caller can be told by an error, outside all locks.
  let report: @Sendable (StorageError) -> Void

  /// Whether the value of an entry is to be a file of its own.
  func isFile(_ entry: NewEntry) -> Bool {
    entry.value.count >= fileThreshold || entry.packedLength > 1 << 26
  }

  /// Whether the values of entries that are stored together are to be files of their own; of none of them, if it is
  /// empty.
  ///
  /// What is stored together lies together in the log. If that would be too long, all but small values go to files.
  func areFiles(_ entries: [NewEntry]) -> [Bool] {
    if entries.count == 1, !isFile(entries[0]) { return [] }
    let areLarge = entries.map(isFile)
    let packed = zip(entries, areLarge).reduce(0) { $0 + ($1.1 ? 0 : $1.0.packedLength) }
    return packed <= 1 << 26 ? areLarge : entries.map { $0.value.count >= 4096 }
  }

  /// How many bytes of records can be appended at once: an offset in a segment has 27 bits.
  static let maximumBatch = 1 << 27 - 1 << 20
}

/// The log was made anew by another process, or deleted: what this process knows of it is worth nothing.
struct StaleSession: Error {}

/// The log of a folder as this process knows it, from when it is opened until it has to be opened anew.
///
/// Locks are taken in this order: `writer`, the lock of the control file, `view`, a shard of the index.
final class LogSession: Sendable {
  let options: LogOptions
  let control: ControlFile
  let secret: Secret
  let segments: SegmentCache
  let index = LogIndex()
  let view: Locked<LogView>
  let writer = Locked(LogWriter())
  let synced: Locked<LogSync>
  /// The next record must go to a new segment: the system could not say what became of the last one.
  let needsNewSegment = Atomic(false)
  /// Told after the locks are given back.
  let findings = Locked<[StorageError]>([])
  private let hasFindings = Atomic(false)
  /// Whether all old entries have become the log's.
  let hasTakenOver = Atomic(false)
  /// Whether the file system is not known to be one that cannot tell what it has in memory.
  private let mayReadAtHand = Atomic(true)
  private let generation: UInt64
  /// `position` of `view`, for a look without its lock.
  private let replayed: Atomic<UInt64>

  init(_ options: LogOptions, _ control: ControlFile) {
    self.options = options
    self.control = control
    secret = control.secret
    segments = SegmentCache(in: options.folder, secret: control.secret)
    view = Locked(LogView(oldest: control.oldest))
    // What was moved before, and not yet deleted at its old place, is still to be made stable.
    let begin = control.emptied > 0 ? LogPosition(segment: control.oldest, offset: 0) : control.tail
    synced = Locked(LogSync(position: begin))
    generation = control.generation
    replayed = Atomic(LogView(oldest: control.oldest).position.bits)
  }

  var folder: EntryFolder { options.folder }

  /// Makes sure that all is known that any process has written so far.
  @inline(__always)
  func refresh() throws {
    if control.generation != generation { throw StaleSession() }
    if let watched = control.watched, try watched.hasBeenReplaced() { throw StaleSession() }
    if control.tail.bits != replayed.load(ordering: .acquiring) { try catchUp() }
  }

  /// Whether there is nothing to be read that others have written.
  var knowsAll: Bool {
    control.generation == generation && control.tail.bits == replayed.load(ordering: .acquiring)
      && control.watched?.isDetached != true
  }

  /// Whether the log is still the one that was opened.
  var isCurrent: Bool { control.generation == generation }

  var canReadAtHand: Bool {
    get { mayReadAtHand.load(ordering: .relaxed) }
    set { mayReadAtHand.store(newValue, ordering: .relaxed) }
  }

  /// Reads what others have written.
  private func catchUp() throws {
    try view.withLock { view in
      while view.position != control.tail {
        if control.generation != generation { throw StaleSession() }
        // So much was written since that a number of what is in the index may have come again.
        if control.oldest - view.oldest > LogSpan.longestStep { throw StaleSession() }
        advance(to: control.oldest, &view)
        if view.position.segment < view.oldest { view.enter(view.oldest) }
        try replay(&view, upTo: control.tail)
      }
      replayed.store(view.position.bits, ordering: .releasing)
    }
  }

  /// Reads one segment, as far as it goes or until the log's end.
  private func replay(_ view: inout LogView, upTo tail: LogPosition) throws {
    let number = view.position.segment
    let start = max(view.position.offset, SegmentHeader.size)
    if number > tail.segment { throw StaleSession() }
    if number == tail.segment, tail.offset == 0 { return view.position = tail }
    guard let segment = try soundSegment(number) else {
      // It was emptied and deleted meanwhile; if not, somebody meddles with the folder.
      if control.oldest > number { return }
      throw StaleSession()
    }
    let end = try number == tail.segment ? tail.offset : segment.length()
    let bytes = try segment.bytes(start..<max(start, end))
    guard bytes.count == end - start else { throw StaleSession() }
    try bytes.withUnsafeBytes { bytes in
      try LogScan.walk(bytes, from: start, seed: segment.header.seed) { item in
        switch item {
        case .damage: throw StaleSession()
        case .record(let record, let offset), .spoiled(let record, let offset):
          apply(record, bytes.part(offset - start..<bytes.count), segment: number, offset: offset, to: &view)
        }
      }
    }
    if number == tail.segment { view.position = tail } else { view.enter(number + 1) }
  }

  /// Takes a record into account. `bytes` begin with it.
  func apply(
    _ record: Record, _ bytes: UnsafeRawBufferPointer, segment: Int, offset: Int, to view: inout LogView
  ) {
    if let slot = slot(of: record, bytes, segment: segment, offset: offset) { apply(slot, to: &view) }
  }

  /// The line of a record in a table of contents; `nil` if it says nothing of a key. `bytes` begin with it.
  @inline(__always)
  func slot(of record: Record, _ bytes: UnsafeRawBufferPointer, segment: Int, offset: Int) -> IndexSlot? {
    switch record.kind {
    case .contents, .void: return nil
    case .value, .file, .removal: break
    }
    var location = Location(
      segment: segment, offset: offset, length: record.length, isFile: record.kind == .file)
    location.isMarked = record.kind == .removal
    return IndexSlot(secret.fingerprint(of: bytes.part(record.keyRange)), location, record.expiry)
  }

  /// Takes a line of a table of contents into account.
  func apply(_ slot: IndexSlot, to view: inout LogView) {
    var span = view.span
    // While the record that begins a segment is taken in, the position is still in the one before.
    span.newest = max(span.newest, control.tail.segment)
    let old: IndexSlot?
    if slot.location.isMarked {
      old = index.remove(slot.key)
    } else {
      old = index.insert(slot, in: span)
      view.count(slot.location, in: span, sign: 1)
    }
    if let old { view.count(old.location, in: span, sign: -1) }
    view.contents.append(slot)
  }

  /// Says that all is known up to a position. For use with the lock of `view`.
  func setReplayed(_ position: LogPosition, _ view: inout LogView) {
    view.position = position
    replayed.store(position.bits, ordering: .releasing)
  }

  /// Reports what was met inside locks.
  func reportFindings() {
    guard hasFindings.load(ordering: .acquiring) else { return }
    hasFindings.store(false, ordering: .releasing)
    takeFindings().forEach(options.report)
  }

  func takeFindings() -> [StorageError] {
    findings.withLock { findings in
      defer { findings = [] }
      return findings
    }
  }

  /// Whether something was met that has not been reported yet.
  var hasNoted: Bool { hasFindings.load(ordering: .acquiring) }

  func note(_ finding: StorageError) {
    findings.withLock { $0.append(finding) }
    hasFindings.store(true, ordering: .releasing)
  }
}
