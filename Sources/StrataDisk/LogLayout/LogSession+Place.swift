extension LogSession {
  /// Throws a `StaleSession` if the path leads to another folder by now, or to another control file in it.
  ///
  /// For use before every step that goes by the names of files: what has them now may be another store's. What follows at once is as
  /// safe as a path can be.
  func checkPlace() throws {
    if try !control.isInPlace() { throw StaleSession() }
  }

  /// Deletes a segment, or what was left by somebody who died while making it; never a segment of another store.
  func removeSegment(_ number: Int) throws {
    segments.drop(number)
    do {
      let segment = try Segment(number, in: folder, secret: nil)
      if let segment, segment.header.secret != secret {
        return note(folder.setAsideSegment(number, .damaged("it belongs to another folder")))
      }
    } catch is EntryFlaw {
      // Nobody's: its header is not whole.
    }
    try folder.remove(EntryName.segment(number))
  }
}
