import StrataCore

extension LogSession {
  /// Looks at all files, and puts them right if that is wanted.
  func check(repairing: Bool) throws -> [DiskFinding] {
    if control.isReadOnly, !repairing {
      var check = LogCheck(of: self)
      try check.run()
      return check.findings
    }
    return try change { writer in
      var check = LogCheck(of: self)
      try check.run()
      if repairing { try repair(check, &writer) }
      return check.findings
    }
  }

  private func repair(_ check: LogCheck, _ writer: inout LogWriter) throws {
    for (key, location) in check.damagedEntries {
      _ = try setAside(key, location, .damaged("its checksum does not match"), &writer)
    }
    for (number, range) in check.damagedRanges {
      guard let segment = try segments.segment(number) else { continue }
      note(
        folder.keepDamage(
          try segment.bytes(range), of: segment, at: range.lowerBound, "no record can be read there"))
      try fill(range, of: segment)
    }
    for name in check.damagedFiles { _ = try folder.setAside(name) }
    for path in check.leftovers { try TemporaryFile.removeLeftover(path) }
    try recountFiles(keepingOrphans: check.findings.contains { $0.kind == .damaged })
    try finishChange()
    control.beginChange()
  }
}

/// A look at all files of a log, while nobody changes it.
private struct LogCheck {
  private let session: LogSession
  private(set) var findings: [DiskFinding] = []
  /// Entries that cannot be read, whose keys are known.
  private(set) var damagedEntries: [(key: [UInt8], Location)] = []
  /// Parts of segments that are no record.
  private(set) var damagedRanges: [(segment: Int, Range<Int>)] = []
  /// Files in the folder that are not what their names say.
  private(set) var damagedFiles: [String] = []
  private(set) var leftovers: [String] = []
  private var namedFiles: Set<String> = []

  init(of session: LogSession) { self.session = session }

  private var folder: EntryFolder { session.folder }

  mutating func run() throws {
    for name in try folder.names(where: {
      ![EntryName.control, EntryName.values, EntryName.damaged].contains($0)
    }) {
      if let number = EntryName.segmentNumber(name) {
        try check(segment: number)
      } else if let finding = try folder.finding(onFile: name) {
        // The files of another library are read by their keys, and nothing can be said of them.
        if finding.kind == .foreign, session.options.old.isOld(name) { continue }
        findings.append(finding)
        if finding.kind == .damaged { damagedFiles.append(name) }
        if finding.kind == .orphaned { leftovers.append(finding.path) }
      }
    }
    for name in try folder.values.names(where: { !namedFiles.contains($0) }) {
      let isOurs = EntryName.valueNumber(name) != nil
      add(
        isOurs ? .orphaned : .foreign, folder.values.path(of: name),
        isOurs ? "no entry has this file" : "Strata gives no such name")
    }
  }

  private mutating func add(_ kind: DiskFinding.Kind, _ path: String, _ reason: String) {
    findings.append(DiskFinding(kind: kind, path: path, reason: reason))
  }

  private mutating func check(segment number: Int) throws {
    let path = folder.path(of: EntryName.segment(number))
    let tail = session.control.tail
    guard number >= session.control.oldest, number <= tail.segment, number < tail.segment || tail.offset > 0
    else {
      return add(.orphaned, path, "the log does not reach to it")
    }
    do {
      guard let segment = try Segment(number, in: folder, secret: session.secret) else { return }
      let end = try number == tail.segment ? tail.offset : segment.length()
      _ = try segment.forEachRecord(from: SegmentHeader.size, atLeast: end, end: end) { item, bytes in
        switch item {
        case .record(let record, let offset): try check(record, bytes, at: offset, of: number)
        case .spoiled(let record, let offset):
          add(.damaged, path, "at \(offset) the checksum of a value does not match")
          if let slot = session.currentSlot(record, bytes, at: offset, of: number) {
            damagedEntries.append((Array(bytes.part(record.keyRange)), slot.location))
          } else {
            damagedRanges.append((number, item.range))
          }
        case .damage(let range):
          add(.damaged, path, "from \(range.lowerBound) to \(range.upperBound) there is no record")
          damagedRanges.append((number, range))
        }
      }
    } catch let flaw as EntryFlaw {
      add(.damaged, path, flaw.reason)
      damagedFiles.append(EntryName.segment(number))
    }
  }

  private mutating func check(
    _ record: Record, _ bytes: UnsafeRawBufferPointer, at offset: Int, of number: Int
  ) throws {
    guard record.kind == .file, let value = ValueFile(bytes.part(record.valueRange)),
      let slot = session.currentSlot(record, bytes, at: offset, of: number)
    else { return }
    let key = Array(bytes.part(record.keyRange))
    namedFiles.insert(value.name)
    let path = folder.values.path(of: value.name)
    let finding =
      try FileStatus(of: path) == nil
      ? DiskFinding(kind: .damaged, path: path, reason: "it is missing")
      : EntryFolder.finding(onEntry: path) { $0 == key ? nil : "it holds the entry of another key" }
    if let finding {
      findings.append(finding)
      damagedEntries.append((key, slot.location))
    }
  }
}
