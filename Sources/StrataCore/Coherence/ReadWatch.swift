/// A read of the back on its way, and with it what it found: tells whether a change of its keys was announced since it
/// began.
///
/// It is open as long as anybody holds it. What one reader found is handed to those who wait behind it, and each of
/// them must be able to ask.
package final class ReadWatch<Key: Hashable & Sendable>: Sendable {
  let coherence: Coherence<Key>
  let keys: [Key]
  /// How many announcements there had been.
  let start: UInt64

  init(_ coherence: Coherence<Key>, keys: [Key], start: UInt64) {
    self.coherence = coherence
    self.keys = keys
    self.start = start
  }

  deinit { coherence.close(self) }

  /// Whether what was found under a key may no longer be what is stored.
  func isOutdated(_ key: Key) -> Bool { coherence.isOutdated(key, since: start) }

  /// Puts in front what was found, unless it is outdated, or becomes so meanwhile: then `drop` removes it, and no
  /// reader is served it in between.
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

  /// Puts in front what was found, unless it is outdated, or becomes so meanwhile: then `drop` removes it, and no
  /// reader is served it in between.
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

/// What a reader found in the back, for itself and for those who wait behind it.
struct Sighting<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let entry: Entry<Value>?
  /// `nil` if nobody but this chain changes the back.
  let watch: ReadWatch<Key>?
}
