import StrataCore

extension LogSession {
  /// Gives back space if more than half of the log is taken by what does not count any more.
  ///
  /// Of what is the oldest, four times as many bytes are looked at as have been written or count no more: so the log is
  /// emptied faster than it grows or what counts shrinks, and never takes more than about three times what counts.
  func tidy(_ writer: inout LogWriter) throws {
    guard writer.debt >= LogWriter.mostDebt else { return }
    let live = view.withLock { $0.liveBytes }
    guard live > 0 else {
      writer.debt = 0
      return try removeSegments()
    }
    let size = segmentSize
    guard control.logBytes > 2 * live + size else { return writer.debt = 0 }
    // What is more than a segment waits for the next writes: none has to wait for much.
    let step = min(writer.debt, size)
    writer.debt -= step
    _ = try emptyOldest(4 * step, &writer)
  }

  /// Deletes the oldest segment: what still counts in it counts no more.
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

  /// Forgets the segments before another.
  func advance(to oldest: Int, _ view: inout LogView) {
    let marks = LogSpan.longestStep
    let passes = oldest / marks > view.oldest / marks
    view.advance(oldest: oldest)
    // In time before a number comes again modulo 2¹⁹.
    if passes { index.dropAll(outside: LogSpan(oldest: oldest, newest: max(oldest, control.tail.segment))) }
  }

  /// Removes everything from the log.
  func removeSegments() throws {
    try holdPlace()
    let numbers = try folder.segmentNumbers()
    let next = control.tail.segment + 1
    view.withLock { view in
      control.oldest = next
      control.tail = LogPosition(segment: next, offset: 0)
      control.logBytes = 0
      control.emptied = 0
      control.seal()
      view.advance(oldest: next)
      view.enter(next)
      setReplayed(view.position, &view)
      index.dropAll(outside: LogSpan(oldest: next, newest: next))
    }
    for number in numbers { try removeSegment(number) }
  }

  /// Removes everything. Values that are files of their own go after the log that names them.
  ///
  /// If it throws, all is there or nothing, and the next change deletes the files that could not be deleted.
  func removeAll() throws {
    try change { writer in
      writer.isUnfinished = true
      try removeSegments()
      if options.durability == .power { try folder.sync() }
      control.fileBytes = 0
      control.seal()
      for name in try folder.values.names(where: { EntryName.valueNumber($0) != nil }) {
        try folder.values.remove(name)
      }
      try options.old.removeAll()
      try folder.removeLeftovers()
      if options.durability == .power { try folder.sync() }
      writer.isUnfinished = false
    }
  }

  /// Adds up the values that are files of their own, and deletes those that no record names: somebody died before it
  /// was written.
  ///
  /// If the log has been damaged, the record may have been lost with it; then they are moved to `Damaged`.
  func recountFiles(keepingOrphans: Bool = false) throws {
    if control.isReadOnly { return }
    try holdPlace()
    let names = try folder.values.names { EntryName.valueNumber($0) != nil }
    var named: Set<String> = []
    if !names.isEmpty {
      try index.forEach { slots in
        for slot in slots where slot.location.isFile && control.span.contains(slot.location) {
          if let file = try valueFile(at: slot.location) { named.insert(file.name) }
        }
      }
    }
    // The record that replaced what an orphan holds may have been written by one who died before it was stable.
    if !keepingOrphans, !named.isSuperset(of: names) { try syncAll() }
    var sum = 0
    for name in names {
      if named.contains(name) {
        sum += try FileStatus(of: folder.values.path(of: name))?.size ?? 0
      } else if keepingOrphans {
        _ = try folder.setAside(name, from: folder.values)
      } else {
        try folder.values.remove(name)
      }
    }
    control.fileBytes = sum
    control.seal()
  }
}
