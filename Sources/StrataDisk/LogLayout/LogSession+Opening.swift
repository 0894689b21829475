#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

extension LogSession {
  /// Opens the log of a folder, which is made again if it is taken away, and sees to what was left by those who died.
  static func open(_ options: LogOptions) throws -> LogSession {
    var findings: [StorageError] = []
    for attempt in 0..<1000 {
      if attempt > 0 { try options.folder.make() }
      if let session = try open(options, &findings) { return session }
    }
    throw StorageError.backendFailed.with(
      "somebody keeps taking away the folder of the log; no other program may", place: options.folder.path)
  }

  /// Opens a log; `nil` if its folder was taken away meanwhile, or it has to be opened anew.
  private static func open(_ options: LogOptions, _ findings: inout [StorageError]) throws -> LogSession? {
    guard let control = try controlFile(options) else { return nil }
    do {
      try control.lock()
      defer { control.unlock() }
      // From here on, nobody makes the control file anew.
      if try !control.holdPlace() { return nil }
      if options.durability == .power { try options.folder.syncParents() }
      let session = try open(control, options, &findings)
      if session == nil || options.durability == .process { return session }
      try control.promiseStable()
      return session
    } catch let error {
      // Of a folder that is gone, anything can be missing.
      if try control.isInPlace() { throw error }
      return nil
    }
  }

  /// Opens the log of a control file; `nil` if it has to be opened anew. Whoever calls has the lock.
  private static func open(
    _ control: ControlFile, _ options: LogOptions, _ findings: inout [StorageError]
  ) throws -> LogSession? {
    let witness = try LogWitness(control)
    let length = try tailLength(control, options.folder)
    let isSound = try control.isSound() && length != nil
    if !isSound {
      // What was read may be another folder's.
      if try !control.isInPlace() { return nil }
      try rebuild(control, options, witness, &findings)
    }
    let session = LogSession(options, control)
    findings.forEach(session.note)
    findings = []
    let isWhole = isSound && !control.isHalfChanged && length == control.tail.offset
    try session.mend(isWhole: isWhole, witness)
    if session.isCurrent {
      session.inheritDebt()
      return session
    }
    // The last segment had to be given up: all that is known of the log is from before.
    findings = session.takeFindings()
    return nil
  }

  /// Puts right what is found when a log is opened, and fills the index. Whoever calls has the lock.
  private func mend(isWhole: Bool, _ witness: LogWitness?) throws {
    let found = try folder.segmentNumbers()
    let missingBytes = try noteLoss(witness, found)
    if !isWhole { try finishChange() }
    let damage = try load(isWhole ? found : folder.segmentNumbers())
    // What was read may be another folder's.
    if hasNoted { try holdPlace() }
    if missingBytes > 0, damage.isNone, !hasNoted { note(shorter(by: missingBytes)) }
    let isDamaged = hasNoted
    if !isWhole || isDamaged { try recountFiles(keepingOrphans: isDamaged) }
    // Not before: whoever dies here must not keep the next one from seeing what may have lost its record.
    if damage.missing.contains(control.tail.segment) { abandonTail() }
    try settle(damage)
    // A segment that was set aside counts no more.
    if isDamaged { try finishChange() }
    if !isWhole || isDamaged, !control.isReadOnly { control.endChange() }
  }

  /// The control file; `nil` if the folder was deleted or moved meanwhile, which others may have made anew by now.
  private static func controlFile(_ options: LogOptions) throws -> ControlFile? {
    do {
      return try ControlFile(in: options.folder)
    } catch let error as SystemError where error.code == ENOENT {
      return nil
    } catch is EntryFlaw {
      // Not a file. The log can do without what it was.
      _ = try options.folder.setAside(EntryName.control)
      return try ControlFile(in: options.folder)
    }
  }

  /// What those left who wrote before is for this process to give back: they may all have been too short-lived to do
  /// it.
  private func inheritDebt() {
    let live = view.withLock { $0.liveBytes }
    writer.withLock { writer in
      writer.debt = max(0, control.logBytes - live)
      keepRoom(&writer)
    }
  }

  /// How long the last segment is; `nil` if it is shorter than it must be.
  private static func tailLength(_ control: ControlFile, _ folder: EntryFolder) throws -> Int? {
    let tail = control.tail
    guard tail.offset > 0 else { return 0 }
    guard let status = try FileStatus(of: folder.path(of: EntryName.segment(tail.segment))) else {
      return nil
    }
    return status.isRegular && status.size >= tail.offset ? status.size : nil
  }

  /// Undoes what somebody did to the segments who died before it counted, or who failed: only the lock's owner may. The
  /// files of values are `recountFiles`'s; only after it the log may be called whole.
  func finishChange() throws {
    if control.isReadOnly { return }
    try holdPlace()
    control.beginChange()
    let tail = control.tail
    var length = 0
    for number in try folder.segmentNumbers() {
      if number < control.oldest || number > tail.segment || number == tail.segment && tail.offset == 0 {
        try removeSegment(number)
      } else if number == tail.segment, let segment = try soundSegment(number) {
        if try segment.length() > tail.offset { try segment.truncate(to: tail.offset) }
        length += tail.offset
      } else {
        length += try folder.bytes(of: [number])
      }
    }
    control.logBytes = length
    control.seal()
  }
}

/// Memory for as long as `body` runs.
func withBuffer<R>(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
  try withUnsafeTemporaryAllocation(byteCount: count, alignment: 8, body)
}
