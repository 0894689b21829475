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
}

/// The result of a read, for its caller and for the callers that share it.
struct Sighting<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let entry: Entry<Value>?
  /// The watch of the read, or `nil` if the back does not report changes.
  let watch: ReadWatch<Key>?
}
