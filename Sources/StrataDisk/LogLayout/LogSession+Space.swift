import StrataCore

extension LogSession {
  /// Compacts if more than half of the log is dead.
  ///
  /// Scans four bytes of the oldest segments for each byte that was written or became dead. So the log is emptied
  /// faster than it grows or its live bytes shrink. It never takes more than about three times its live bytes.
  func tidy(_ writer: inout LogWriter) throws {
    guard writer.debt >= LogWriter.mostDebt else { return }
    let live = view.withLock { $0.liveBytes }
    guard live > 0 else {
      writer.debt = 0
      return try removeSegments()
    }
    let size = segmentSize
    // In a store smaller than a segment, the fixed part of the bound is most of it, and shrinks with its entries.
    guard control.logBytes > 2 * live + size + min(live, size) else { return writer.debt = 0 }
    // Debt beyond one segment is left to the next writes, so that no single write takes long.
    let step = min(writer.debt, size)
    writer.debt -= step
    _ = try emptyOldest(4 * step, &writer)
  }

  /// Moves all live records to new segments and deletes the old ones. Other writers get a turn after each segment.
  func compact() throws {
    let last = control.tail.segment
    while control.oldest <= last {
      let progress = try change { writer in try emptyOldest(segmentSize, &writer) }
      if progress == nil { return }
    }
  }

  /// Deletes the oldest segment, and with it the entries whose live records are still in it.
  func dropOldest(_ number: Int, length: Int) throws {
    try holdPlace()
    if control.keepsStable { try sync(upTo: control.tail) }
    control.oldest = number + 1
    control.emptied = 0
    control.logBytes -= length
    control.seal()
    view.withLock { advance(to: number + 1, &$0) }
    try removeSegment(number)
    if control.keepsStable { try folder.sync() }
  }

  /// Forgets the segments before a given one.
  func advance(to oldest: Int, _ view: inout LogView) {
    let marks = LogSpan.longestStep
    let passes = oldest / marks > view.oldest / marks
    view.advance(oldest: oldest)
    // Before segment numbers repeat modulo 2¹⁹.
    if passes { index.dropAll(outside: LogSpan(oldest: oldest, newest: max(oldest, control.tail.segment))) }
  }

  /// Removes all entries from the log.
  func removeSegments() throws {
    try holdPlace()
    let numbers = try folder.segmentNumbers()
    let next = control.tail.segment + 1
    let count = view.withLock { view in
      control.oldest = next
      control.tail = LogPosition(segment: next, offset: 0)
      control.logBytes = 0
      control.emptied = 0
      control.seal()
      view.advance(oldest: next)
      view.enter(next)
      setReplayed(view.position, &view)
      return index.dropAll(outside: LogSpan(oldest: next, newest: next))
    }
    FreedMemory.giveBack(afterFreeing: count)
    for number in numbers { try removeSegment(number) }
  }

  /// Removes all entries. Value files are deleted after the log that names them.
  ///
  /// If it throws, either all entries are still there or none is, and the next change deletes the remaining files.
  /// Files that cannot be deleted are reported, and fail neither this change nor the next one.
  func removeAll() throws {
    try change { writer in
      writer.isUnfinished = true
      try removeSegments()
      if options.durability == .power { try folder.sync() }
      control.fileBytes = 0
      control.seal()
      for name in try folder.values.names(where: EntryName.isValue) {
        removeValue(name, "delete a value that was removed", &writer)
      }
      try options.old.removeAll()
      do throws(SystemError) { try folder.removeLeftovers() } catch {
        note(error.explained("delete a file that was not finished", next: "the next opening tries again"))
      }
      if options.durability == .power { try folder.sync() }
      writer.isUnfinished = false
    }
  }

  /// Adds up the sizes of value files, as given by their records. Deletes the files that no record names: a process
  /// died before it appended the record.
  ///
  /// If the log has been damaged, or a record cannot be read, a file's record may be lost; then such files are moved to
  /// `Damaged`. Returns how many were moved because of `keepingOrphans`.
  @discardableResult
  func recountFiles(keepingOrphans: Bool = false) throws -> Int {
    if control.isReadOnly {
      // Nothing is deleted, so all of them count.
      control.fileBytes = try folder.values.names(where: EntryName.isValue).reduce(0) {
        $0 + (try FileStatus(of: folder.values.path(of: $1))?.size ?? 0)
      }
      control.seal()
      return 0
    }
    try holdPlace()
    let all = try folder.values.names { _ in true }
    let names = all.filter(EntryName.isValue)
    var named: Set<String> = []
    var sum = 0
    var isDamaged = keepingOrphans
    if !names.isEmpty {
      try index.forEach { slots in
        for slot in slots where slot.location.isFile && control.span.contains(slot.location) {
          guard let file = try valueFile(at: slot.location) else {
            isDamaged = true
            continue
          }
          named.insert(file.name)
          // Also if another program has deleted the file: these bytes are subtracted when the entry is removed.
          sum += file.size
        }
      }
    }
    // A process may have replaced an orphan's record, and died before the new record was stable.
    if !isDamaged, !named.isSuperset(of: names) { try syncAll() }
    var areHeld = false
    let orphans = try names.filter { !named.contains($0) } + all.filter(isPartsWithoutEntry)
    for name in orphans {
      let isGone: Bool
      if isDamaged {
        isGone = try !folder.values.setAside(name, to: folder).isHeld
      } else {
        isGone = removeOrphan(name)
      }
      if !isGone { areHeld = true }
    }
    control.store(areHeld ? 1 : 0, .held)
    control.fileBytes = sum
    control.seal()
    return keepingOrphans ? orphans.count : 0
  }

  /// Returns whether a file contains a value of the layout `.files` whose entry is gone: a process died while it
  /// imported or removed the entry.
  private func isPartsWithoutEntry(_ name: String) throws -> Bool {
    guard let entry = EntryName.entry(ofPlainValue: name) else { return false }
    return try FileStatus(of: folder.path(of: entry)) == nil
  }
}
