#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

extension LogSession {
  /// Opens a log, makes its folder if need be, and sees to what was left by those who died.
  static func open(_ options: LogOptions) throws -> LogSession {
    while true {
      try options.folder.make()
      if options.durability == .power { try options.folder.syncParents() }
      let control = try controlFile(options)
      try control.lock()
      defer { control.unlock() }
      // Somebody may have deleted it between the two calls.
      if try control.isGone() { continue }
      let isSound = try control.isSound() && tailIsThere(control, options.folder)
      var findings: [StorageError] = []
      if !isSound { try rebuild(control, options, &findings) }
      let session = LogSession(options, control)
      findings.forEach(session.note)
      let isWhole = isSound && !control.isHalfChanged
      if !isWhole { try session.finishChange() }
      let damage = try session.load()
      let isDamaged = session.findings.withLock { !$0.isEmpty }
      if !isWhole || isDamaged { try session.recountFiles(keepingOrphans: isDamaged) }
      // Not before: whoever dies here must not keep the next one from seeing what may have lost its record.
      for (range, segment) in damage { try session.fill(range, of: segment) }
      // A segment that was set aside counts no more.
      if isDamaged { try session.finishChange() }
      if !isWhole || isDamaged, !control.isReadOnly { control.endChange() }
      if options.durability == .power { try control.promiseStable() }
      session.inheritDebt()
      return session
    }
  }

  private static func controlFile(_ options: LogOptions) throws -> ControlFile {
    do {
      return try ControlFile(in: options.folder)
    } catch is EntryFlaw {
      // Not a file. The log can do without what it was.
      _ = try options.folder.setAside(EntryName.control)
      return try ControlFile(in: options.folder)
    }
  }

  /// Whether the last segment is as long as it must be.
  private static func tailIsThere(_ control: ControlFile, _ folder: EntryFolder) throws -> Bool {
    let tail = control.tail
    guard tail.offset > 0 else { return true }
    guard let status = try FileStatus(of: folder.path(of: EntryName.segment(tail.segment))) else {
      return false
    }
    return status.isRegular && status.size >= tail.offset
  }

  /// Finds out from the segments alone where the log begins and ends.
  private static func rebuild(
    _ control: ControlFile, _ options: LogOptions, _ findings: inout [StorageError]
  ) throws {
    let folder = options.folder
    var numbers = try folder.segmentNumbers()
    // A new file cannot say whether somebody has written with `.power`.
    if control.load(.magic) != ControlFile.magic, !numbers.isEmpty { control.store(1, .stable) }
    let secret = try secret(of: numbers, folder)
    while let last = numbers.last {
      do {
        guard let segment = try Segment(last, in: folder, secret: secret) else {
          throw EntryFlaw.damaged("it is gone")
        }
        let tail = try end(of: segment, folder, &findings)
        return try control.reset(
          secret: segment.header.secret, tail: tail, oldest: numbers.first ?? last,
          logBytes: folder.bytes(of: numbers), fileBytes: 0)
      } catch let flaw as EntryFlaw {
        if case .newer(let version) = flaw {
          throw StorageError.newer(version, place: folder.path(of: EntryName.segment(last)))
        }
        findings.append(folder.setAsideSegment(last, flaw))
        numbers.removeLast()
      }
    }
    try control.reset(
      secret: .random(), tail: LogPosition(segment: 1, offset: 0), oldest: 1, logBytes: 0, fileBytes: 0)
  }

  /// The secret that most segments carry: whoever puts a segment of another folder here must not make it the owner of this one.
  private static func secret(of numbers: [Int], _ folder: EntryFolder) throws -> Secret? {
    var counts: [Secret: Int] = [:]
    for number in numbers {
      do {
        guard let segment = try Segment(number, in: folder, secret: nil) else { continue }
        counts[segment.header.secret, default: 0] += 1
      } catch is EntryFlaw {}
    }
    return counts.max { $0.value < $1.value }?.key
  }

  /// Where the next record goes, if this is the last segment. What is behind the last whole record is kept as damaged.
  private static func end(
    of segment: Segment, _ folder: EntryFolder, _ findings: inout [StorageError]
  ) throws -> LogPosition {
    let length = try segment.length()
    let isFull = try SegmentContents.read(from: segment, length: length) != nil
    if isFull { return LogPosition(segment: segment.number + 1, offset: 0) }
    let bytes = try segment.bytes(SegmentHeader.size..<length)
    var items: [LogScan.Item] = []
    bytes.withUnsafeBytes {
      LogScan.walk($0, from: SegmentHeader.size, seed: segment.header.seed) { items.append($0) }
    }
    let end = LogScan.end(of: items, from: SegmentHeader.size)
    if end < length {
      let torn = bytes[(end - SegmentHeader.size)...]
      if torn.contains(where: { $0 != 0 }) {
        findings.append(
          folder.keepDamage(Array(torn), of: segment, at: end, "the log ends in an unfinished write"))
      }
    }
    return LogPosition(segment: segment.number, offset: end)
  }

  /// Undoes what somebody did to the segments who died before it counted, or who failed: only the lock's owner may. The files of
  /// values are `recountFiles`'s; only after it the log may be called whole.
  func finishChange() throws {
    if control.isReadOnly { return }
    control.beginChange()
    let tail = control.tail
    var length = 0
    for number in try folder.segmentNumbers() {
      if number < control.oldest || number > tail.segment || number == tail.segment && tail.offset == 0 {
        segments.drop(number)
        try folder.remove(EntryName.segment(number))
      } else if number == tail.segment, let segment = try segments.segment(number) {
        if try segment.length() > tail.offset { try segment.truncate(to: tail.offset) }
        length += tail.offset
      } else {
        length += try folder.bytes(of: [number])
      }
    }
    control.logBytes = length
    control.seal()
  }

  /// Fills the index. Whoever calls has the lock, so that nobody deletes a segment meanwhile. Returns what is damaged.
  private func load() throws -> [(Range<Int>, Segment)] {
    var damage: [(Range<Int>, Segment)] = []
    try view.withLock { view in
      let tail = control.tail
      for number in try folder.segmentNumbers() where number >= control.oldest && number <= tail.segment {
        view.enter(number)
        do {
          guard let segment = try segments.segment(number) else { continue }
          try load(segment, to: number == tail.segment ? tail.offset : segment.length(), &view) {
            damage.append(($0, segment))
          }
        } catch let flaw as EntryFlaw {
          if case .newer(let version) = flaw {
            throw StorageError.newer(version, place: folder.path(of: EntryName.segment(number)))
          }
          note(folder.setAsideSegment(number, flaw))
        }
      }
      if view.position.segment != tail.segment { view.enter(tail.segment) }
      setReplayed(tail, &view)
    }
    return damage
  }

  private func load(
    _ segment: Segment, to end: Int, _ view: inout LogView, _ found: (Range<Int>) -> Void
  ) throws {
    if let slots = try SegmentContents.read(from: segment, length: end) {
      for slot in slots where slot.location.segment == segment.number & Location.segmentMask {
        apply(slot, to: &view)
      }
      return
    }
    let start = SegmentHeader.size
    let bytes = try segment.bytes(start..<max(start, end))
    bytes.withUnsafeBytes { bytes in
      LogScan.walk(bytes, from: start, seed: segment.header.seed) { item in
        switch item {
        // Whoever reads a spoiled one is told; until then it hides what was stored before it.
        case .record(let record, let offset), .spoiled(let record, let offset):
          apply(
            record, bytes.part(offset - start..<bytes.count), segment: segment.number, offset: offset,
            to: &view)
        case .damage(let range):
          let damage = Array(bytes[range.lowerBound - start..<range.upperBound - start])
          let finding = folder.keepDamage(
            damage, of: segment, at: range.lowerBound, "no record can be read there")
          note(finding)
          if finding.cause == nil { found(range) }
        }
      }
    }
  }

  /// What those left who wrote before is for this process to give back: they may all have been too short-lived to do it.
  private func inheritDebt() {
    let live = view.withLock { $0.liveBytes }
    writer.withLock { $0.debt = max(0, control.logBytes - live) }
  }

  /// Puts a record that says nothing over bytes that have been set aside, so that they are met only once.
  func fill(_ range: Range<Int>, of segment: Segment) throws {
    if control.isReadOnly || range.count < Record.headerSize { return }
    let rest = try segment.bytes(range.lowerBound + Record.headerSize..<range.upperBound)
    let record = Record(kind: .void, keyLength: 0, valueLength: rest.count, expiry: .never)
    guard record.length == range.count else { return }
    try withBuffer(record.length) { buffer in
      rest.withUnsafeBytes {
        record.encode(
          into: buffer, key: .init(start: nil, count: 0), value: $0, seed: segment.seed(at: range.lowerBound))
      }
      try segment.write(UnsafeRawBufferPointer(buffer).part(0..<Record.headerSize), at: range.lowerBound)
    }
  }
}

/// Memory for as long as `body` runs.
func withBuffer<R>(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
  try withUnsafeTemporaryAllocation(byteCount: count, alignment: 8, body)
}
