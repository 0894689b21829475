import StrataCore

/// A check of all files of a log, while no other process changes it.
struct LogCheck {
  private let session: LogSession
  /// Whether a change of the log was not finished before the check.
  private let isUnfinished: Bool
  private(set) var findings: [DiskFinding] = []
  /// Unreadable entries whose keys are known.
  private(set) var damagedEntries: [(key: [UInt8], Location)] = []
  /// Parts of segments that contain no record.
  private(set) var damagedRanges: [(segment: Int, Range<Int>)] = []
  /// Files in the folder whose contents do not match their names.
  private(set) var damagedFiles: [String] = []
  private(set) var leftovers: [String] = []
  /// Segments whose end is missing: the last one is too short, or another one does not end in a table of contents.
  private(set) var unsealed: Set<Int> = []
  /// By segment, the slots of the index whose records cannot be read.
  private(set) var lost: [Int: [IndexSlot]] = [:]
  /// The keys that are in the log, but not in the index: the record of their removal is lost. The values are the
  /// numbers of the last segments with records of the keys.
  private var reappearing: [Fingerprint: Int] = [:]
  /// The length of each segment that can be read.
  private var lengths: [Int: Int] = [:]
  private var namedFiles: Set<String> = []

  init(of session: LogSession, isUnfinished: Bool = false) {
    self.session = session
    self.isUnfinished = isUnfinished
  }

  private var folder: EntryFolder { session.folder }

  mutating func run() throws {
    let numbers = session.numbers
    // The names of segments are in the order of the log.
    for name in try folder.names(where: {
      ![EntryName.control, EntryName.values, EntryName.damaged].contains($0)
    }).sorted() {
      if let number = EntryName.segmentNumber(name) {
        try check(segment: number)
      } else if let finding = try folder.finding(onFile: name) {
        // Files of another library are found by their keys, so an unknown file is no finding.
        if finding.kind == .foreign, session.options.old.isOld(name) { continue }
        findings.append(finding)
        if finding.kind == .damaged { damagedFiles.append(name) }
        if finding.kind == .orphaned { leftovers.append(finding.path) }
      }
    }
    if let numbers { try checkWhole(numbers) }
    for name in try folder.values.names(where: { !namedFiles.contains($0) }) {
      // The value of an entry that has not been imported yet.
      if let entry = EntryName.entry(ofPlainValue: name), try FileStatus(of: folder.path(of: entry)) != nil {
        continue
      }
      let isOurs = EntryName.isValue(name) || EntryName.entry(ofPlainValue: name) != nil
      // A file that a user keeps in place is deleted later.
      if try isOurs && folder.values.isHeld(name) { continue }
      add(
        isOurs ? .orphaned : .foreign, folder.values.path(of: name),
        isOurs ? "no entry refers to it" : "it is not a name that Strata uses")
    }
  }

  private mutating func add(
    _ kind: DiskFinding.Kind, _ path: String, _ reason: String, key: [UInt8]? = nil
  ) {
    findings.append(DiskFinding(kind, path, reason, key: key))
  }

  /// Looks for missing segments, missing bytes, and index slots without a readable record.
  private mutating func checkWhole(_ numbers: ClosedRange<Int>) throws {
    for number in LogDamage.missing(from: try folder.segmentNumbers(), in: numbers)
    where number >= session.control.oldest {
      add(.damaged, folder.path(of: EntryName.segment(number)), "the segment is missing")
    }
    for loss in session.lasting.withLock({ $0 }) { add(.damaged, folder.path, loss.message) }
    let control = session.control
    let length = lengths.values.reduce(0, +)
    // An unfinished change may have removed bytes and not counted them yet.
    if !findings.contains(where: { $0.kind == .damaged }), !control.isReadOnly, !isUnfinished,
      control.logBytes > length
    {
      add(.damaged, folder.path, "the log is \(control.logBytes - length) bytes shorter than it was")
    }
    var ranges: [Int: [Range<Int>]] = [:]
    for (number, range) in damagedRanges { ranges[number, default: []].append(range) }
    session.index.forEach { slots in
      for slot in slots where control.span.contains(slot.location) {
        let number = control.span.segment(of: slot.location)
        let end = slot.location.offset + slot.location.length
        let isDamaged = ranges[number]?.contains { $0.contains(slot.location.offset) } ?? false
        if isDamaged || lengths[number].map({ $0 < end }) ?? true { lost[number, default: []].append(slot) }
      }
    }
  }

  private mutating func check(segment number: Int) throws {
    let path = folder.path(of: EntryName.segment(number))
    let tail = session.control.tail
    guard number >= session.control.oldest, number <= tail.segment, number < tail.segment || tail.offset > 0
    else {
      return add(.orphaned, path, "it is outside the log")
    }
    do {
      guard let segment = try Segment(number, in: folder, secret: session.secret) else { return }
      let length = try segment.length()
      let end = number == tail.segment ? tail.offset : length
      lengths[number] = min(end, length)
      if length < end {
        add(.damaged, path, "it ends at \(length), and must reach \(end)")
        unsealed.insert(number)
      }
      var last: LogScan.Item?
      _ = try segment.forEachRecord(from: SegmentHeader.size, atLeast: end, end: end) { item, bytes in
        last = item
        switch item {
        case .record(let record, let offset):
          noteRemovals(record, bytes, of: number)
          try check(record, bytes, at: offset, of: number)
        case .spoiled(let record, let offset):
          let key = Array(bytes.part(record.keyRange))
          let slot = session.currentSlot(record, bytes, at: offset, of: number)
          // A record that is not its key's live one is no entry.
          let reason = "the checksum of the value at \(offset) does not match"
          add(.damaged, path, reason, key: slot == nil ? nil : key)
          if let slot {
            damagedEntries.append((key, slot.location))
          } else {
            damagedRanges.append((number, item.range))
          }
        case .damage(let range):
          add(.damaged, path, "from \(range.lowerBound) to \(range.upperBound) there is no record")
          damagedRanges.append((number, range))
        }
      }
      if number < tail.segment, try SegmentContents.read(from: segment, length: length) == nil,
        session.isCut(segment, end: length, last: last)
      {
        add(.damaged, path, "it is cut short: it does not end in a table of contents")
        unsealed.insert(number)
      }
    } catch let flaw as EntryFlaw {
      if case .newer(let version) = flaw {
        throw StorageError.newer(version, known: SegmentHeader.version, place: path)
      }
      add(.damaged, path, flaw.reason)
      damagedFiles.append(EntryName.segment(number))
    }
  }

  /// Records whether the key of a record, or the keys in a table of contents, are removed as far as the log says.
  private mutating func noteRemovals(_ record: Record, _ bytes: UnsafeRawBufferPointer, of number: Int) {
    switch record.kind {
    case .void: break
    case .contents:
      for slot in SegmentContents.slots(bytes.part(record.valueRange)) where slot.location.isMarked {
        reappearing[slot.key] = nil
      }
    case .removal: reappearing[session.secret.fingerprint(of: bytes.part(record.keyRange))] = nil
    case .value, .file, .parts:
      let key = session.secret.fingerprint(of: bytes.part(record.keyRange))
      if session.index.find(key) == nil { reappearing[key] = number }
    }
  }

  /// Returns, by segment, the removals that tables of contents must list once damage is repaired, so that no older
  /// value of a key comes back.
  func removals(in damage: LogDamage) -> [Int: [IndexSlot]] {
    var removals: [Int: [IndexSlot]] = [:]
    for (number, slots) in lost { removals[number] = slots.map(\.asRemoval) }
    guard let last = damage.unsealed.union(damage.missing).max() else { return removals }
    for (key, number) in reappearing where number <= last {
      let location = Location(segment: last, offset: 0, length: 0, isFile: false)
      removals[last, default: []].append(IndexSlot(key, location, .never).asRemoval)
    }
    return removals
  }

  private mutating func check(
    _ record: Record, _ bytes: UnsafeRawBufferPointer, at offset: Int, of number: Int
  ) throws {
    guard let value = ValueFile(of: record, bytes),
      let slot = session.currentSlot(record, bytes, at: offset, of: number)
    else { return }
    let key = Array(bytes.part(record.keyRange))
    namedFiles.insert(value.name)
    let path = folder.values.path(of: value.name)
    let reason =
      try FileStatus(of: path) == nil
      ? "it is missing"
      : record.kind == .parts
        ? PartFile.flaw(at: path, PartTable(bytes.part(record.valueRange)))
        : EntryFolder.finding(onEntry: path) { $0 == key ? nil : "it holds the entry of another key" }?.reason
    if let reason {
      add(.damaged, path, reason, key: key)
      damagedEntries.append((key, slot.location))
    }
  }
}
