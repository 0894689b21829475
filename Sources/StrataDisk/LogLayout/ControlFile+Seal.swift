import Synchronization

/// The checksum of the page, which tells a page that was written completely from any other.
extension ControlFile {
  /// Updates the checksum, after which the page is consistent.
  func seal() {
    for i in 0..<Self.sealedCount { sealed[i] = words[i].load(ordering: .relaxed) }
    let checksum = Self.checksum(sealed)
    sealed[Self.sealedCount] = checksum
    store(checksum, .checksum)
  }

  /// Whether the checksum matches. Only for the owner of the log's lock.
  ///
  /// If this store has written the page last, comparing the words is enough, and takes a tenth of the time.
  var isStillSealed: Bool {
    for i in 0..<Self.sealedCount where words[i].load(ordering: .relaxed) != sealed[i] { return isUndamaged }
    return load(.checksum) == sealed[Self.sealedCount] || isUndamaged
  }

  /// Whether the checksum matches: the last change to the page was written completely.
  var isUndamaged: Bool { load(.checksum) == checksum }

  private var checksum: UInt64 { Self.checksum(words) }

  static func checksum(_ words: UnsafeMutablePointer<Atomic<UInt64>>) -> UInt64 {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: sealedCount) { copy in
      for i in 0..<sealedCount { copy[i] = words[i].load(ordering: .relaxed) }
      return XXH64.hash(UnsafeRawBufferPointer(copy))
    }
  }

  private static func checksum(_ words: UnsafePointer<UInt64>) -> UInt64 {
    XXH64.hash(UnsafeRawBufferPointer(UnsafeBufferPointer(start: words, count: sealedCount)))
  }
}
