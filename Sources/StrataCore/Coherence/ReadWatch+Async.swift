extension ReadWatch {
  /// Stores a result in the front by `put`, unless it is outdated. If it becomes outdated meanwhile, `drop` removes it,
  /// and it is never served.
  func putting(
    _ key: Key, _ put: () async throws -> Void, drop: () async throws -> Void
  ) async throws {
    guard coherence.startPutting(key, since: start) else { return }
    var isPut = false
    do {
      try await put()
      isPut = true
      if coherence.mayStay(key, since: start) { return }
      try await drop()
    } catch {
      coherence.endPutting(key, leavingOutdated: isPut)
      throw error
    }
    coherence.endPutting(key, leavingOutdated: false)
  }
}
