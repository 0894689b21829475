extension LogSession {
  /// Throws a `StaleSession` if the path leads to another folder by now, or to another control file in it.
  ///
  /// For use before every step that goes by the names of files: what has them now may be another store's. What follows at once is as
  /// safe as a path can be.
  func checkPlace() throws {
    if try !control.isInPlace() { throw StaleSession() }
  }

  /// Deletes a segment, or what was left by somebody who died while making it; never a segment of another store.
  ///
  /// The path is looked at last: then what was found is not that of somebody who has made the control file anew.
  func removeSegment(_ number: Int) throws {
    let isOther = try isOfAnotherStore(number)
    segments.drop(number)
    try checkPlace()
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
