import StrataCore

extension LogSession {
  /// Copies an unreadable entry's bytes, or moves its file, to `Damaged`, removes the entry, and returns the error to
  /// report. If that fails, it throws and leaves the entry. For use inside `change`.
  func setAside(
    _ key: [UInt8], _ location: Location, _ flaw: EntryFlaw, _ writer: inout LogWriter
  ) throws -> StorageError {
    if case .newer(let version) = flaw {
      return .newer(version, place: folder.path)
    }
    let number = control.span.segment(of: location)
    var error = StorageError.malformedFileAttributes.with(
      "the entry is damaged: \(flaw.reason)", place: folder.path(of: EntryName.segment(number)))
    let file = try valueFile(at: location)
    if let file {
      let place = folder.values.path(of: file.name)
      error = error.with(place: place)
      if try FileStatus(of: place) != nil {
        let (kept, isHeld) = try folder.values.setAside(file.name, to: folder)
        if isHeld { noteHeld(file.name, &writer) }
        error = error.with("the entry is damaged: \(flaw.reason); its file was moved to \(kept)")
      }
    } else if let segment = try soundSegment(number) {
      let bytes = try segment.bytes(location.offset..<location.offset + location.length)
      error = options.keepDamage(bytes, of: segment, at: location.offset, flaw.reason)
      // The entry stays, and every read throws, until its bytes can be copied.
      if let cause = error.cause { throw cause }
      try fill(location, of: segment)
    }
    // The file with the value is one that no record names. The next change would delete it.
    if location.isFile, file == nil { try recountFiles(keepingOrphans: true) }
    try remove([key], &writer)
    return error
  }

  /// Overwrites an unreadable record with void records, unless the bytes there are sound and so belong to another
  /// record.
  private func fill(_ location: Location, of segment: Segment) throws {
    let range = location.offset..<location.offset + location.length
    let start = SegmentHeader.size
    let isLast = segment.number == control.tail.segment
    let bytes = try segment.bytes(start..<max(start, isLast ? control.tail.offset : segment.length()))
    var isDamaged = false
    bytes.withUnsafeBytes {
      LogScan.walk($0, from: start, seed: segment.header.seed) { item in
        switch item {
        case .record: break
        case .spoiled: if item.range == range { isDamaged = true }
        case .damage(let damage):
          if damage.lowerBound <= range.lowerBound, damage.upperBound >= range.upperBound { isDamaged = true }
        }
      }
    }
    if isDamaged { try fill(range, of: segment) }
  }

  /// Returns a segment; `nil` if there is none, or its file is not a sound segment.
  func soundSegment(_ number: Int) throws -> Segment? {
    do { return try segments.segment(number) } catch is EntryFlaw { return nil }
  }

  /// Returns the file that a record names; `nil` if it names none, or cannot be read.
  func valueFile(at location: Location) throws -> ValueFile? {
    guard location.isFile, let segment = try soundSegment(control.span.segment(of: location)) else {
      return nil
    }
    do {
      return try withRecord(at: location, in: segment) { record, bytes in
        ValueFile(of: record, bytes)
      }
    } catch is EntryFlaw {
      return nil
    }
  }
}
