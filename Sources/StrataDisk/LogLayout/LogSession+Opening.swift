#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

extension LogSession {
  /// Opens a log, creates its folder if necessary, and finishes the changes of processes that died.
  static func open(_ options: LogOptions) throws -> LogSession {
    var findings: [StorageError] = []
    for _ in 0..<1000 {
      try options.folder.make()
      if let session = try open(options, &findings) { return session }
    }
    throw StorageError.backendFailed.with(
      "another program repeatedly deletes or moves the folder of the log: find out which one",
      place: options.folder.path)
  }

  /// Opens a log; `nil` if its folder was deleted or moved meanwhile, or the log has to be opened again.
  private static func open(_ options: LogOptions, _ findings: inout [StorageError]) throws -> LogSession? {
    guard let control = try controlFile(options) else { return nil }
    do {
      try control.lock()
      defer { control.unlock() }
      // From here on, no other process rebuilds the control file.
      if try !control.holdPlace() { return nil }
      if options.durability == .power { try options.folder.syncParents() }
      let session = try open(control, options, &findings)
      if session == nil || options.durability == .process { return session }
      try control.promiseStable()
      return session
    } catch let error {
      // In a folder that is gone, any file can be missing.
      if try control.isInPlace() { throw error }
      return nil
    }
  }

  /// Opens the log of a control file; `nil` if it has to be opened again. Call it with the lock held.
  private static func open(
    _ control: ControlFile, _ options: LogOptions, _ findings: inout [StorageError]
  ) throws -> LogSession? {
    let witness = try LogWitness(control)
    let length = try tailLength(control, options.folder)
    let isSound = try control.isSound() && length != nil
    if !isSound {
      // The segments read may be another folder's.
      if try !control.isInPlace() { return nil }
      try rebuild(control, options, witness, &findings)
    }
    let session = LogSession(options, control)
    findings.forEach(session.note)
    findings = []
    let isWhole = isSound && !control.isHalfChanged && length == control.tail.offset
    try session.mend(isWhole: isWhole, witness)
    if session.isCurrent {
      if !control.isReadOnly { session.writer.withLock { session.complete(&$0) } }
      return session
    }
    // The last segment was abandoned, so the session is stale.
    findings = session.takeFindings()
    return nil
  }

  /// Repairs the damage found on opening, and fills the index. Call it with the lock held.
  private func mend(isWhole: Bool, _ witness: LogWitness?) throws {
    let missingBytes = try noteLoss(witness)
    if !isWhole { try finishChange() }
    let damage = try load()
    // The segments read may be another folder's.
    if hasNoted { try holdPlace() }
    if missingBytes > 0, damage.isNone, !hasNoted { noteLost(shorter(by: missingBytes)) }
    let isDamaged = hasNoted
    if !isWhole || isDamaged || control.load(.held) != 0 && !control.isReadOnly {
      let kept = try recountFiles(keepingOrphans: isDamaged || control.load(.keepsOrphans) != 0)
      if kept > 0, !isDamaged { note(lostRecords(of: kept)) }
    }
    // Not earlier: if this process dies here, the next one must still see that a file's record may be lost.
    if damage.missing.contains(control.tail.segment) { abandonTail() }
    try settle(damage)
    // A segment that was moved to `Damaged` is not part of the log any more.
    if isDamaged { try finishChange() }
    if !isWhole || isDamaged, !control.isReadOnly {
      control.store(0, .keepsOrphans)
      control.endChange()
    }
  }

  /// Returns the control file; `nil` if the folder was deleted or moved meanwhile. Another process may have created it
  /// again.
  private static func controlFile(_ options: LogOptions) throws -> ControlFile? {
    do {
      return try ControlFile(in: options.folder)
    } catch let error as SystemError where error.code == ENOENT {
      return nil
    } catch is EntryFlaw {
      // A folder or device has the file's name. The log can do without the control file.
      _ = try options.folder.setAside(EntryName.control)
      return try ControlFile(in: options.folder)
    }
  }

  /// Counts the live bytes, and prepares for a full disk: before the first change, the disk may be full.
  ///
  /// Makes this process responsible for compacting all dead bytes: the processes that wrote them may have ended too
  /// early to do it.
  private func complete(_ writer: inout LogWriter) {
    let live = view.withLock { view in
      index.complete { view.live.subtract($0) }
      return view.liveBytes
    }
    writer.debt = max(0, control.logBytes - live)
    keepRoom(&writer)
  }

  /// Returns the length of the last segment; `nil` if it is shorter than the control file says.
  private static func tailLength(_ control: ControlFile, _ folder: EntryFolder) throws -> Int? {
    let tail = control.tail
    guard tail.offset > 0 else { return 0 }
    guard let status = try FileStatus(of: folder.path(of: EntryName.segment(tail.segment))) else {
      return nil
    }
    return status.isRegular && status.size >= tail.offset ? status.size : nil
  }

  /// Undoes unpublished changes to the segments, of a process that died or a call that failed. Only for the lock's
  /// owner. `recountFiles` does the same for value files; only after both may the flag of a change be cleared.
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
        if try segment.length() > tail.offset { try segment.file.truncate(to: tail.offset) }
        length += tail.offset
      } else {
        length += try folder.bytes(of: [number])
      }
    }
    control.logBytes = length
    control.seal()
  }
}

/// Passes memory to `body`, which is freed when `body` returns.
func withBuffer<R>(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
  try withUnsafeTemporaryAllocation(byteCount: count, alignment: 8, body)
}
