import Synchronization

extension LogSession {
  /// Locks the folder until the change ends. Throws a `StaleSession` if the path leads to another folder by now, or to
  /// another control file in it.
  ///
  /// For use before every step that goes by the names of files: otherwise what has them may be another store's. For
  /// whoever has the lock of the log.
  func holdPlace() throws {
    if try !control.holdPlace() { throw StaleSession() }
  }

  /// The last segment, to be written to.
  ///
  /// It was opened by its name. If somebody had made the control file anew before that, it would be the new log's, and
  /// so not for a process that goes by the old one. If the old one is still in place now, that was not so; what
  /// somebody does later, `append` sees.
  func lastSegment() throws -> Segment {
    guard let segment = try soundSegment(control.tail.segment) else { throw StaleSession() }
    if !segment.isOurs.load(ordering: .relaxed) {
      if try !control.isInPlace() { throw StaleSession() }
      segment.isOurs.store(true, ordering: .relaxed)
    }
    return segment
  }

  /// Whether records that were just appended to the last segment are in the log of whoever has made the control file
  /// anew meanwhile.
  ///
  /// They are if that process read the segment after they were written. Then they count, and must not be written a
  /// second time: an `update` or `setIfAbsent` would find its own value.
  func isTakenOver(_ bytes: UnsafeRawBufferPointer, in segment: Segment, at start: Int) throws -> Bool {
    // Waits until the log has been taken over.
    if try control.holdPlace() { return false }
    let end = LogPosition(segment: segment.number, offset: start + bytes.count)
    guard try ControlFile.isTakenOver(upTo: end, secret, control.path) else { return false }
    segments.drop(segment.number)
    // By now it may have been emptied.
    guard let copy = try soundSegment(segment.number) else { return true }
    return try copy.bytes(start..<end.offset).elementsEqual(bytes)
  }

  /// Deletes a segment, or what was left by somebody who died while making it; never a segment of another store.
  func removeSegment(_ number: Int) throws {
    try holdPlace()
    let isOther = try isOfAnotherStore(number)
    segments.drop(number)
    if isOther {
      note(folder.setAsideSegment(number, .damaged("it belongs to another folder")))
    } else {
      try folder.remove(EntryName.segment(number))
    }
  }

  private func isOfAnotherStore(_ number: Int) throws -> Bool {
    if let open = segments.opened(number), try isInPlace(open) { return false }
    do {
      let segment = try Segment(number, in: folder, secret: nil)
      return segment.map { $0.header.secret != secret } ?? false
    } catch is EntryFlaw {
      // Nobody's: its header is not whole.
      return false
    }
  }

  /// Whether the path of a segment still leads to it.
  private func isInPlace(_ segment: Segment) throws -> Bool {
    try FileStatus(of: segment.path)?.identity == segment.identity()
  }
}
