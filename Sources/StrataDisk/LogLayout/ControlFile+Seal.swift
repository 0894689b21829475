import StrataCore
import Synchronization

/// The checksum of the page, which detects a page that was not written completely.
extension ControlFile {
  /// Updates the checksum, after which the page is consistent.
  func seal() {
    let checksum = Self.checksum(words, copiedTo: sealed)
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
  var isUndamaged: Bool { load(.checksum) == Self.checksum(words) }

  /// Returns the checksum of a page that other processes may be changing, from a copy of its words.
  ///
  /// - Parameter copy: The memory for the copy; temporary memory if it is `nil`.
  static func checksum(
    _ words: UnsafeMutablePointer<Atomic<UInt64>>, copiedTo copy: UnsafeMutablePointer<UInt64>? = nil
  ) -> UInt64 {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: sealedCount) { temporary in
      let copy = UnsafeMutableBufferPointer(start: copy ?? temporary.baseAddress, count: sealedCount)
      for i in copy.indices { copy[i] = words[i].load(ordering: .relaxed) }
      return XXH64.hash(UnsafeRawBufferPointer(copy))
    }
  }
}
