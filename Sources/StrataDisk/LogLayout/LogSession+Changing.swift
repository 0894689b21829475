#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

extension LogSession {
  /// Runs `body` while no other thread or process changes the log, after reading all records written so far.
  ///
  /// If `body` throws, its unpublished bytes are removed. If that fails too, or the process dies, the next call of
  /// `change` removes them.
  @inline(__always)
  func change<R: Sendable>(_ body: (inout LogWriter) throws -> R) throws -> R {
    try writer.withLock { writer in
      try prepare(&writer)
      defer { control.unlock() }
      return try change(&writer, body)
    }
  }

  /// Runs `body` while no other thread or process changes the log, after reading all records written so far. Unlike
  /// `change`, leaves the files as they are, even those of an unfinished change.
  func examine<R: Sendable>(_ body: () throws -> R) throws -> R {
    if control.isReadOnly { return try body() }
    return try writer.withLock { _ in
      try control.lock()
      defer { control.unlock() }
      if !control.isStillSealed { throw StaleSession() }
      try refresh()
      try holdPlace()
      return try body()
    }
  }

  /// Takes the lock of the log, reads what others have written, and finishes their changes.
  // Not part of `change`, of which the compiler makes a copy for each operation; nor is `undo`.
  @inline(never)
  private func prepare(_ writer: inout LogWriter) throws {
    if control.isReadOnly { throw SystemError("open", folder.path(of: EntryName.control), EROFS) }
    try control.lock()
    do {
      if !control.isStillSealed { throw StaleSession() }
      try refresh()
      writer.changes += 1
      // Between two checks, writes to a folder that was moved go to its new location.
      if writer.changes.isMultiple(of: LogWriter.changesBetweenLooks) {
        try control.expectPlace()
        try checkLengthLimit()
        keepRoom(&writer)
      }
      if control.isHalfChanged {
        try finishChange()
        try recountFiles()
      }
      if !writer.held.isEmpty { try removeHeld(&writer) }
    } catch {
      control.unlock()
      throw error
    }
  }

  /// Runs `body`. The caller holds both locks, has read all changes of other sessions, and has found no unfinished one.
  @inline(__always)
  func change<R>(_ writer: inout LogWriter, _ body: (inout LogWriter) throws -> R) throws -> R {
    control.beginChange()
    writer.isUnfinished = false
    do {
      let result = try body(&writer)
      if !writer.isUnfinished { control.endChange() }
      return result
    } catch {
      try undo(after: error, writer)
    }
  }

  @inline(never)
  private func undo(after error: any Error, _ writer: borrowing LogWriter) throws -> Never {
    // If the cleanup fails, the next change meets the same error, and throws it.
    do {
      try finishChange()
      if !writer.isUnfinished { control.endChange() }
    } catch {}
    if (error as? SystemError)?.code == EFBIG { try checkLengthLimit() }
    throw error
  }

  /// Runs `body` as a change that stores something, then compacts. With `.power`, returns when the log is on stable
  /// storage. Returns what `body` returns: whether it has changed anything.
  func commit(_ body: (inout LogWriter) throws -> Bool) throws -> Bool {
    let end = try change { writer -> LogPosition? in
      guard try body(&writer) else { return nil }
      try tidyUp(&writer)
      return control.tail
    }
    if let end, options.durability == .power { try sync(upTo: end) }
    return end != nil
  }

  /// Throws a `StaleSession` if the system's limit on the length of files has changed: the log is opened again with it.
  private func checkLengthLimit() throws {
    if FileLengthLimit.current != options.lengthLimit { throw StaleSession() }
  }

  /// Appends records, all of them or none, and publishes them.
  ///
  /// - Parameter files: The change in the total size of value files.
  func append(_ records: [NewRecord], files: Int = 0, _ writer: inout LogWriter) throws {
    var (length, version) = (0, UInt32(1))
    for new in records {
      length += new.length
      version = max(version, new.record.kind.segmentVersion)
    }
    try withBuffer(length) { buffer in
      var offset = 0
      for new in records {
        let target = buffer.part(offset..<offset + new.length)
        new.key.withUnsafeBytes { key in
          new.value.withUnsafeBytes { new.record.put(into: target, key: key, value: $0) }
        }
        offset += new.length
      }
      try append(buffer, files: files, version: version, &writer) { segment, start in
        Record.sealBatch(buffer, seed: segment.seed(at: start))
      }
    }
  }

  /// Appends the bytes of records, all of them or none, and publishes them.
  ///
  /// - Parameters:
  ///   - version: The least version of a segment that may contain the records.
  ///   - seal: Completes the records for the segment and offset where they will be written.
  func append(
    _ bytes: UnsafeMutableRawBufferPointer, files: Int, version: UInt32 = 1, _ writer: inout LogWriter,
    seal: (Segment, _ offset: Int) -> Void
  ) throws {
    let (segment, start, added) = try room(for: bytes.count, version: version)
    seal(segment, start)
    try segment.write(UnsafeRawBufferPointer(bytes), at: start)
    // A process that rebuilds the control file closes the segment, and only then reads and replaces it.
    if try segment.isUnlinkedOrClosed(),
      try !isTakenOver(UnsafeRawBufferPointer(bytes), in: segment, at: start)
    {
      // The folder is locked now. The records are written again elsewhere, so no process may find them here.
      try segment.file.truncate(to: start)
      try restoreTail()
      return try append(bytes, files: files, version: version, &writer, seal: seal)
    }
    let freed = publish(
      UnsafeRawBufferPointer(bytes), in: segment, at: start, logBytes: added + bytes.count, fileBytes: files)
    writer.debt += max(bytes.count, freed)
  }

  /// Moves the tail behind newly written records, which publishes them to all processes at once. Returns how many bytes
  /// of the log they made dead.
  @discardableResult
  private func publish(
    _ bytes: UnsafeRawBufferPointer, in segment: Segment, at start: Int, logBytes: Int, fileBytes: Int
  ) -> Int {
    view.withLock { view in
      let live = view.liveBytes
      control.logBytes += logBytes
      control.fileBytes += fileBytes
      let end = LogPosition(segment: segment.number, offset: start + bytes.count)
      control.tail = end
      control.seal()
      if view.position.segment != segment.number { view.enter(segment.number) }
      var offset = 0
      while offset < bytes.count, let record = Record(fields: bytes.part(offset...)) {
        apply(
          record, bytes.part(offset...), segment: segment.number, offset: start + offset, to: &view
        )
        offset += record.length
      }
      setReplayed(end, &view)
      return live + bytes.count - view.liveBytes
    }
  }

  /// Returns the segment and offset for an append, in a new segment if necessary, and the bytes of headers and tables
  /// that this adds.
  private func room(for length: Int, version: UInt32) throws -> (Segment, offset: Int, added: Int) {
    let tail = control.tail
    if tail.offset == 0 {
      let previous = tail.segment > control.oldest ? try soundSegment(tail.segment - 1) : nil
      let segment = try makeSegment(tail.segment, version: max(version, previous?.header.version ?? 1))
      return (segment, SegmentHeader.size, SegmentHeader.size)
    }
    let segment = try lastSegment()
    let isFull = tail.offset > SegmentHeader.size && tail.offset + length > segmentSize
    guard isFull || segment.header.version < version || needsNewSegment.load(ordering: .acquiring) else {
      return (segment, tail.offset, 0)
    }
    // Before the table is written: a process that rebuilds the control file treats a segment that ends in a table as
    // full.
    try holdPlace()
    // Otherwise this is detected after the record has been written.
    if try segment.file.isUnlinked() {
      try restoreTail()
      return try room(for: length, version: version)
    }
    let added = try finish(segment, at: tail.offset)
    let next = try makeSegment(tail.segment + 1, version: max(version, segment.header.version))
    needsNewSegment.store(false, ordering: .releasing)
    return (next, SegmentHeader.size, added + SegmentHeader.size)
  }

  /// Starts a new segment, so that the current last one can be emptied.
  func startSegment() throws {
    try holdPlace()
    let tail = control.tail
    guard tail.offset > 0 else { throw StaleSession() }
    let segment = try lastSegment()
    let added = try finish(segment, at: tail.offset)
    let next = try makeSegment(tail.segment + 1, version: segment.header.version)
    publish(
      .init(start: nil, count: 0), in: next, at: SegmentHeader.size, logBytes: added + SegmentHeader.size,
      fileBytes: 0)
  }

  private func makeSegment(_ number: Int, version: UInt32) throws -> Segment {
    try holdPlace()
    let segment: Segment
    do throws(SystemError) {
      segment = try Segment(
        making: number, in: folder, secret: secret, version: version, protection: options.protection)
    } catch let error where error.code == EEXIST {
      try removeSegment(number)
      segment = try Segment(
        making: number, in: folder, secret: secret, version: version, protection: options.protection)
    }
    // A cached segment with this number was never part of the log.
    segments.drop(number)
    segments.add(segment)
    return segment
  }

  /// Writes the table of contents of a full segment; returns its length in bytes.
  private func finish(_ segment: Segment, at offset: Int) throws -> Int {
    var added = 0
    if offset >= SegmentContents.minimumSegment {
      let bytes = SegmentContents.encoded(contents(of: segment), at: offset, seed: segment.header.seed)
      try bytes.withUnsafeBytes { try segment.write($0, at: offset) }
      added = bytes.count
    }
    if control.keepsStable { try segment.file.sync() }
    return added
  }

  /// Returns the slots of the last segment's live records, including removals that still hide older records.
  private func contents(of segment: Segment) -> [IndexSlot] {
    view.withLock { view in
      view.contents.filter { slot in
        let current = index.find(slot.key)
        if slot.location.isMarked { return current == nil && view.oldest < segment.number }
        return current?.location.isSame(slot.location) == true
      }
    }
  }

  /// The length of a new segment: an eighth of the live bytes, to waste little space, and at most 16 MiB, to keep each
  /// step short. Under a limit it is at most a 64th of the limit, since as much is kept free for emptying. Below a
  /// limit of 64 MB it is a larger share, so that files are not made and deleted all the time.
  var segmentSize: Int {
    let live = view.withLock { $0.liveBytes }
    let size = min(max(live / 8, 1 << 19), 1 << 24, options.lengthLimit.segment)
    return options.limit.map { min(size, max($0 / 64, min($0 / 32, 1 << 20), min($0 / 24, 1 << 17))) } ?? size
  }
}
