import StrataCore
import Synchronization

/// The options for opening a log.
struct LogOptions: Sendable {
  let folder: EntryFolder
  /// The limit on the bytes of all files; `nil` for none.
  let limit: Int?
  let durability: DiskDurability
  let protection: FileProtection
  let clock: StorageClock
  /// The size in bytes from which a value is a file of its own.
  let fileThreshold: Int
  /// The entries in the folder that are not in the log yet.
  let old: OldEntries
  /// Called with errors that no caller can get, outside all locks.
  let report: @Sendable (StorageError) -> Void
  /// Called with the numbers of entries that were evicted, and that were removed since they had expired.
  let reclaimed: @Sendable (_ evictions: Int, _ expiries: Int) -> Void

  /// The system's limit on the length of files when the log was opened.
  let lengthLimit = FileLengthLimit.current

  /// Returns whether the value of an entry becomes a file of its own. Its record is as if it were packed.
  func isFile(_ entry: NewRecord) -> Bool {
    entry.record.valueLength >= fileThreshold || entry.length > longestPacked
  }

  /// The limit on the bytes of values that are packed together.
  private var longestPacked: Int { min(1 << 26, lengthLimit.segment) }

  /// Returns, for entries that are stored together, whether each value becomes a file of its own. An empty result means
  /// that none does.
  ///
  /// A batch is contiguous in the log. If it would be too long, all but small values become files.
  func areFiles(_ entries: [NewRecord]) -> [Bool] {
    var packed = 0
    var hasFiles = false
    for entry in entries {
      if isFile(entry) { hasFiles = true } else { packed += entry.length }
    }
    if packed > longestPacked { return entries.map { $0.record.valueLength >= 4096 } }
    return hasFiles ? entries.map(isFile) : []
  }

  /// The limit on the bytes of records that are appended at once: an offset in a segment has 27 bits.
  static let maximumBatch = 1 << 27 - 1 << 20
}

/// The log was deleted, or its control file rebuilt, so this process must open it again.
struct StaleSession: Error {}

/// An open log of a folder, as far as this process has read it. It is used until the log has to be opened again.
///
/// Locks are taken in this order: `writer`, the lock of the control file, `view`, a shard of the index.
final class LogSession: Sendable {
  private static let sessions = Atomic<UInt64>(0)

  /// The number of this session. No other one of this process has the same.
  let number = LogSession.sessions.add(1, ordering: .relaxed).newValue
  let options: LogOptions
  let control: ControlFile
  let secret: Secret
  let segments: SegmentCache
  let index = LogIndex()
  let view: Locked<LogView>
  let writer = Locked(LogWriter())
  let synced: Locked<LogSync>
  /// Whether the next record must go to a new segment, since a failed sync left the last one in an unknown state.
  let needsNewSegment = Atomic(false)
  /// Errors to report once the locks are released.
  let findings = Locked<[StorageError]>([])
  private let hasFindings = Atomic(false)
  /// The system's failure that was noted last: as long as a call fails in the same way, it is reported once.
  private let lastFailure = Locked<String?>(nil)
  /// The losses found on opening, if the log is read-only and so keeps them: `verify()` returns them each time.
  let lasting = Locked<[StorageError]>([])
  /// Where the opening or a listing has found no readable key, and so has reported that; offset 0 for all of a segment.
  let unlisted = Locked<Set<LogPosition>>([])
  /// Whether all old entries have been imported.
  let hasTakenOver = Atomic(false)
  /// Whether reads may still request only cached bytes; `false` once the file system has turned out not to support it.
  private let mayReadCached = Atomic(true)
  private let generation: UInt64
  /// The `position` of `view`, readable without its lock.
  private let replayed: Atomic<UInt64>

  init(_ options: LogOptions, _ control: ControlFile) {
    self.options = options
    self.control = control
    secret = control.secret
    segments = SegmentCache(in: options.folder, secret: control.secret)
    view = Locked(LogView(oldest: control.oldest))
    // Records that were moved earlier, and not yet deleted in their old segment, still have to be made stable.
    let begin = control.emptied > 0 ? LogPosition(segment: control.oldest, offset: 0) : control.tail
    synced = Locked(LogSync(position: begin))
    generation = control.generation
    replayed = Atomic(LogView(oldest: control.oldest).position.bits)
  }

  var folder: EntryFolder { options.folder }

  /// Catches up with all records that any process has written so far.
  @inline(__always)
  func refresh() throws {
    if control.generation != generation { throw StaleSession() }
    if let watched = control.watched, try watched.hasBeenReplaced() { throw StaleSession() }
    if control.tail.bits != replayed.load(ordering: .acquiring) { try catchUp() }
  }

  /// Whether this process has read all records that others have written.
  var knowsAll: Bool {
    control.generation == generation && control.tail.bits == replayed.load(ordering: .acquiring)
      && control.watched?.isDetached != true
  }

  /// Whether the log has not been rebuilt since this session began.
  var isCurrent: Bool { control.generation == generation }

  var canReadCached: Bool {
    get { mayReadCached.load(ordering: .relaxed) }
    set { mayReadCached.store(newValue, ordering: .relaxed) }
  }

  /// Reads the records that other processes have written.
  private func catchUp() throws {
    try view.withLock { view in
      while view.position != control.tail {
        if control.generation != generation { throw StaleSession() }
        // After so many segments, the number of a slot's segment may have repeated modulo 2¹⁹.
        if control.oldest - view.oldest > LogSpan.longestStep { throw StaleSession() }
        advance(to: control.oldest, &view)
        if view.position.segment < view.oldest { view.enter(view.oldest) }
        try replay(&view, upTo: control.tail)
      }
      replayed.store(view.position.bits, ordering: .releasing)
    }
  }

  /// Reads one segment, up to its end or the end of the log.
  private func replay(_ view: inout LogView, upTo tail: LogPosition) throws {
    let number = view.position.segment
    let start = max(view.position.offset, SegmentHeader.size)
    if number > tail.segment { throw StaleSession() }
    if number == tail.segment, tail.offset == 0 { return view.position = tail }
    guard let segment = try soundSegment(number) else {
      // It was emptied and deleted meanwhile; otherwise another program has changed the folder.
      if control.oldest > number { return }
      throw StaleSession()
    }
    let end = try number == tail.segment ? tail.offset : segment.length()
    let bytes = try segment.bytes(start..<max(start, end))
    guard bytes.count == end - start else { throw StaleSession() }
    try bytes.withUnsafeBytes { bytes in
      try LogScan.walk(bytes, from: start, seed: segment.header.seed, checksValues: false) { item in
        switch item {
        case .damage: throw StaleSession()
        case .record(let record, let offset), .spoiled(let record, let offset):
          apply(record, bytes.part((offset - start)...), segment: number, offset: offset, to: &view)
        }
      }
    }
    if number == tail.segment { view.position = tail } else { view.enter(number + 1) }
  }

  /// Adds a record to the index and the counts. `bytes` begin with the record.
  func apply(
    _ record: Record, _ bytes: UnsafeRawBufferPointer, segment: Int, offset: Int, to view: inout LogView
  ) {
    if let slot = slot(of: record, bytes, segment: segment, offset: offset) { apply(slot, to: &view) }
  }

  /// Returns the slot of a record for a table of contents; `nil` if the record has no key. `bytes` begin with the
  /// record.
  @inline(__always)
  func slot(of record: Record, _ bytes: UnsafeRawBufferPointer, segment: Int, offset: Int) -> IndexSlot? {
    switch record.kind {
    case .contents, .void: return nil
    case .value, .file, .parts, .removal: break
    }
    var location = Location(
      segment: segment, offset: offset, length: record.length, isFile: record.kind.namesFile)
    location.isMarked = record.kind == .removal
    return IndexSlot(secret.fingerprint(of: bytes.part(record.keyRange)), location, record.expiry)
  }

  /// Adds a slot to the index and the counts.
  func apply(_ slot: IndexSlot, to view: inout LogView) {
    var span = view.span
    // While the record that begins a segment is added, the position is still in the previous segment.
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

  /// Records that all records up to a position have been read. For use with the lock of `view`.
  func setReplayed(_ position: LogPosition, _ view: inout LogView) {
    view.position = position
    replayed.store(position.bits, ordering: .releasing)
  }

  /// Reports the errors that were noted while locks were held.
  @inline(never)
  func reportFindings() {
    guard hasNoted else { return }
    hasFindings.store(false, ordering: .releasing)
    takeFindings().forEach(options.report)
  }

  func takeFindings() -> [StorageError] {
    findings.withLock { findings in
      defer { findings = [] }
      return findings
    }
  }

  /// Whether there are noted errors that have not been reported yet.
  var hasNoted: Bool { hasFindings.load(ordering: .acquiring) }

  /// Notes a loss that only the opening can find.
  func noteLost(_ loss: StorageError) {
    note(loss)
    if control.isReadOnly { lasting.withLock { $0.append(loss) } }
  }

  func note(_ finding: StorageError) {
    let failure = (finding.cause as? SystemError).map { "\($0.path): \($0)" }
    let isKnown = lastFailure.withLock { last in
      defer { last = failure }
      return failure != nil && last == failure
    }
    if isKnown { return }
    findings.withLock { $0.append(finding) }
    hasFindings.store(true, ordering: .releasing)
  }
}
