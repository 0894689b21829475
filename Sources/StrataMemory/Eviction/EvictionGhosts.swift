#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The histories of evicted entries ("ghosts"): a fixed number, 8 bytes each.
///
/// Eight ghosts share a cache line, which the hash selects; a new ghost displaces the oldest of its line. Twelve more
/// bits of the hash distinguish them. About one look-up in 500 finds another entry's ghost, whose only harm is a wrong
/// guess.
///
/// Unchecked: the memory belongs to one policy, and is only used under the lock of its shard.
final class EvictionGhosts: @unchecked Sendable {
  struct Ghost: Equatable {
    /// The number of accesses since the entry was last used.
    var age: UInt32
    /// The entry's history up to its eviction.
    var history: UseHistory
    /// The number of insertions since the entry was inserted, if it left the window unused.
    var insertionsAgo: UInt32?
  }

  static let minimum = 1024
  private static let perLine = 8

  /// The maximum number of ghosts.
  let capacity: Int
  private let memory: UnsafeMutableRawPointer
  private let lines: UnsafeMutablePointer<UInt64>
  private let lineCount: UInt64
  /// Times are kept in units of 1/1024 of the capacity, so that 20 bits reach back 1024 times the capacity.
  private let useShift: UInt32
  /// Insertions are kept in 15 bits: they need to reach back only as far as a ghost lives.
  private let insertionShift: UInt32

  /// Allocates room for two ghosts per entry.
  init(population: Int) {
    lineCount = UInt64((max(2 * population, Self.minimum) + Self.perLine - 1) / Self.perLine)
    capacity = Int(lineCount) * Self.perLine
    let shift = UInt32(Int.bitWidth - 1 - (capacity / 1024).leadingZeroBitCount)
    useShift = shift
    insertionShift = max(shift, 1) - 1
    // The system zeroes each page at its first use, not all at once now.
    guard let memory = calloc(capacity + Self.perLine, MemoryLayout<UInt64>.size) else {
      preconditionFailure("there is no memory left for \(capacity) ghosts")
    }
    self.memory = memory
    lines = memory.alignedUp(toMultipleOf: 64).assumingMemoryBound(to: UInt64.self)
  }

  deinit { free(memory) }

  /// Remembers an entry that is evicted. `insertion` is the number of the entry's insertion, if it left the window
  /// unused.
  func remember(_ state: EvictionState, insertion: UInt32?) {
    let line = line(of: state.hash)
    for place in stride(from: Self.perLine - 1, to: 0, by: -1) { line[place] = line[place - 1] }
    let insertionBits = insertion.map { ($0 &>> insertionShift & 0x7fff) << 1 | 1 } ?? 0
    line[0] =
      Self.tag(of: state.hash) | UInt64(state.lastUse &>> useShift & 0xf_ffff) << 32
      | UInt64(state.history.bits) << 16 | UInt64(insertionBits)
  }

  /// Removes and returns the ghost of a hash, or `nil` if there is none.
  func recall(_ hash: UInt32, clock: UInt32, insertions: UInt32) -> Ghost? {
    let (line, tag) = (line(of: hash), Self.tag(of: hash))
    for place in 0..<Self.perLine where line[place] != 0 && line[place] & Self.tagBits == tag {
      let bits = line[place]
      for next in place + 1..<Self.perLine { line[next - 1] = line[next] }
      line[Self.perLine - 1] = 0
      let lastUse = UInt32(truncatingIfNeeded: bits >> 32)
      let insertion = UInt32(truncatingIfNeeded: bits >> 1)
      return Ghost(
        age: (((clock &>> useShift) &- lastUse) & 0xf_ffff) &<< useShift,
        history: UseHistory(bits: UInt16(truncatingIfNeeded: bits >> 16)),
        insertionsAgo: bits & 1 == 0
          ? nil : (((insertions &>> insertionShift) &- insertion) & 0x7fff) &<< insertionShift)
    }
    return nil
  }

  private static let tagBits: UInt64 = 0xfff << 52
  private static func tag(of hash: UInt32) -> UInt64 { UInt64(hash) << 52 }

  private func line(of hash: UInt32) -> UnsafeMutablePointer<UInt64> {
    // The multiplier is 2³² divided by the golden ratio. It spreads hashes with many common bits, as in one shard, over
    // the lines.
    lines + Int((UInt64(hash &* 0x9e37_79b1) * lineCount) >> 32) * Self.perLine
  }
}
