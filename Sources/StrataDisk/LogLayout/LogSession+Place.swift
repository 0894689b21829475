import Synchronization

extension LogSession {
  /// Locks the folder until the change ends. Throws a `StaleSession` if the path now leads to another folder or control
  /// file.
  ///
  /// Call it before every step that relies on file names, which may otherwise be another store's. Only for the owner of
  /// the log's lock.
  func holdPlace() throws {
    if try !control.holdPlace() { throw StaleSession() }
  }

  /// Returns the last segment, for writing.
  ///
  /// The segment was opened by its name. If another process had rebuilt the control file before that, the segment would
  /// be the new log's, which this process must not write to. This did not happen if the old control file is still in
  /// place. `append` detects a later rebuild.
  func lastSegment() throws -> Segment {
    let number = control.tail.segment
    if let segment = segments.opened(number), segment.isOurs.load(ordering: .relaxed) { return segment }
    guard let segment = try soundSegment(number) else { throw StaleSession() }
    if !segment.isOurs.load(ordering: .relaxed) {
      try control.expectPlace()
      segment.isOurs.store(true, ordering: .relaxed)
    }
    return segment
  }

  /// Returns whether records that were just appended to the last segment are in the log of a process that has rebuilt
  /// the control file meanwhile.
  ///
  /// This is so if that process read the segment after they were written. They must then not be written a second time:
  /// an `update` or `setIfAbsent` would find its own value.
  func isTakenOver(_ bytes: UnsafeRawBufferPointer, in segment: Segment, at start: Int) throws -> Bool {
    // Taking the folder's lock waits until the other process has rebuilt the log.
    if try control.holdPlace() { return false }
    let end = LogPosition(segment: segment.number, offset: start + bytes.count)
    guard try ControlFile.isTakenOver(upTo: end, secret, control.path) else { return false }
    segments.drop(segment.number)
    // The segment may have been emptied by now.
    guard let copy = try soundSegment(segment.number) else { return true }
    return try copy.bytes(start..<end.offset).elementsEqual(bytes)
  }

  /// Deletes a segment, also an unfinished one of a process that died. A segment of another store is moved to
  /// `Damaged`.
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
      // Its header is incomplete, so it is no store's segment.
      return false
    }
  }

  /// Returns whether the path of a segment still leads to its file.
  private func isInPlace(_ segment: Segment) throws -> Bool {
    try FileStatus(of: segment.path)?.identity == segment.identity()
  }
}
