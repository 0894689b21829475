import StrataCore

/// Values that were written as streams.
extension LogSession {
  /// Puts a value in force that has been written to a file, if a condition holds; returns whether it does.
  func store(
    _ file: NewPartFile, _ table: PartTable, _ key: [UInt8], _ expiry: Expiry, if condition: WriteCondition?
  ) throws -> Bool {
    if let condition, try !wouldHold(condition, for: key) { return false }
    if options.limit != nil { try takeOverAll() }
    return try commit { writer in
      try WriteCondition.checkLease()
      if let condition, try !holds(condition, for: key) { return false }
      try store(file, .parts(table, key: key, expiry: expiry), ValueFile(table), &writer)
      return true
    }
  }

  private func store(
    _ file: NewPartFile, _ record: NewRecord, _ value: ValueFile, _ writer: inout LogWriter
  ) throws {
    try makeRoom(for: [record], files: value.size, &writer)
    try holdPlace()
    try file.move(to: value.name, in: folder.values)
    do {
      if options.durability == .power {
        try folder.values.sync()
        try folder.sync()
      }
      try replace([record], fileBytes: value.size, &writer)
    } catch {
      // The log may have to be opened again: then the file is moved once more.
      do throws(SystemError) { try file.moveBack(from: value.name, in: folder.values) } catch {
        writer.isUnfinished = true
      }
      throw error
    }
  }

  /// Moves the entry to which a damaged file belongs to `Damaged`, unless it has been replaced. Returns the error to
  /// throw.
  func setAside(_ key: [UInt8], _ file: PartFile, _ flaw: EntryFlaw) throws -> StorageError {
    let value = ValueFile(file.table)
    do {
      return try change { writer in
        try holdPlace()
        if let location = index.find(fingerprint(key))?.location, control.span.contains(location),
          try valueFile(at: location) == value
        {
          return try setAside(key, location, flaw, &writer)
        }
        return .malformedFileAttributes.with("the entry is damaged: \(flaw.reason)", place: file.path)
      }
    } catch let error as SystemError {
      throw folder.unmoved("the entry is damaged: \(flaw.reason)", file.path, error)
    }
  }
}

/// Files that are still there although no record names them any more.
extension LogSession {
  /// Notes that a file could not be deleted, since a `StoredFile` keeps it, or the system refuses. This process tries
  /// again with each change, the owner of the `StoredFile` when it releases it, and the next process that opens the
  /// log.
  func noteHeld(_ name: String, _ writer: inout LogWriter) {
    control.store(1, .held)
    writer.held.append(name)
  }

  /// Deletes a value's file that no record names any more. The change has already taken effect, so a failure is only
  /// reported, and the next change tries again.
  func removeValue(_ name: String, _ aim: String, _ writer: inout LogWriter) {
    do throws(SystemError) {
      if try !folder.values.removeUnheld(name) { noteHeld(name, &writer) }
    } catch {
      noteHeld(name, &writer)
      note(error.explained(aim, next: "the next write tries again"))
    }
  }

  /// Deletes a value's file that no record names; `false` if a `StoredFile` keeps it, or the system refuses. The next
  /// opening tries again. A refusal is reported: no write may fail because of a file that is not needed.
  func removeOrphan(_ name: String) -> Bool {
    do throws(SystemError) { return try folder.values.removeUnheld(name) } catch {
      note(error.explained("delete a value that no entry has", next: "the next opening tries again"))
      return false
    }
  }

  /// Deletes kept files that have been released. A file that the system refuses to delete is left to the next opening.
  func removeHeld(_ writer: inout LogWriter) throws {
    // The records that replaced them must be stable before.
    if control.keepsStable { try sync(upTo: control.tail) }
    // A few at a time, so that many of them do not make each write slow.
    for _ in 0..<min(4, writer.held.count) {
      let name = writer.held.removeFirst()
      do throws(SystemError) {
        if try !folder.values.removeUnheld(name) { writer.held.append(name) }
      } catch {
        note(error.explained("delete a value that was kept in place", next: "the next opening tries again"))
      }
    }
  }

  /// Deletes a file that a `StoredFile` has released, if no record names it any more.
  func reclaim(_ key: [UInt8], _ number: UInt64) throws {
    if control.isReadOnly || control.load(.held) == 0 { return }
    try change { writer in
      if let location = index.find(fingerprint(key))?.location, location.isFile,
        control.span.contains(location)
      {
        // A record that cannot be read may name the file.
        guard let file = try valueFile(at: location), file.number != number else { return }
      }
      if control.keepsStable { try sync(upTo: control.tail) }
      let name = EntryName.plainValue(number)
      if try !folder.values.removeUnheld(name) { return noteHeld(name, &writer) }
      writer.held.removeAll { $0 == name }
    }
  }
}
