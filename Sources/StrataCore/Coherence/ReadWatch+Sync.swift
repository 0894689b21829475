// Generated from ReadWatch+Async.swift by `make twins`.
extension ReadWatch {
  /// Stores a result in the front by `put`, unless it is outdated. If it becomes outdated meanwhile, `drop` removes it,
  /// and it is never served.
  func putting(
    _ key: Key, _ put: () throws -> Void, drop: () throws -> Void
  ) throws {
    guard coherence.startPutting(key, since: start) else { return }
    var isPut = false
    do {
      try put()
      isPut = true
      if coherence.mayStay(key, since: start) { return }
      try drop()
    } catch {
      coherence.endPutting(key, leavingOutdated: isPut)
      throw error
    }
    coherence.endPutting(key, leavingOutdated: false)
  }
}
