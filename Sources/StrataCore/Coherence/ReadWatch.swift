/// A watch over a read of the back and its result. It shows whether a key has been invalidated since the read began.
///
/// It is open while it is referenced. Concurrent reads share one result, and each of them must be able to check it.
package final class ReadWatch<Key: Hashable & Sendable>: Sendable {
  let coherence: Coherence<Key>
  let keys: [Key]
  /// The number of invalidations when the read began.
  let start: UInt64

  init(_ coherence: Coherence<Key>, keys: [Key], start: UInt64) {
    self.coherence = coherence
    self.keys = keys
    self.start = start
  }

  deinit { coherence.close(self) }

  /// Returns whether a key has been invalidated since the read began.
  func isOutdated(_ key: Key) -> Bool { coherence.isOutdated(key, since: start) }

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

/// The result of a read, for its caller and for the callers that share it.
struct Sighting<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let entry: Entry<Value>?
  /// The watch of the read, or `nil` if the back does not report changes.
  let watch: ReadWatch<Key>?
}
