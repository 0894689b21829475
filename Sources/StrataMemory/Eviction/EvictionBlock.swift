/// A piece of an eviction queue: half a kilobyte of node indices in queue order. Removed nodes leave gaps.
///
/// Unsafe: only its queue allocates and frees it, and the queue is used under the lock of a shard.
struct EvictionBlock: @unchecked Sendable {
  // Four words for the header, then the node indices.
  private let words: UnsafeMutablePointer<UInt32>

  static var size: UInt32 { 128 }
  /// The first place that can hold a node.
  static var start: UInt32 { 4 }
  /// The maximum number of nodes in joined blocks. It leaves a quarter of the block free, so that it is not full at
  /// once.
  static var fewNodes: UInt32 { (size - start) / 4 * 3 }

  init() {
    words = .allocate(capacity: Int(Self.size))
    words.initialize(repeating: EvictionState.none, count: Int(Self.size))
    count = 0
    end = Self.start
  }

  func free() { words.deallocate() }

  /// The number of the previous block.
  var previous: UInt32 {
    get { words[0] }
    nonmutating set { words[0] = newValue }
  }
  /// The number of the next block.
  var next: UInt32 {
    get { words[1] }
    nonmutating set { words[1] = newValue }
  }
  /// The number of nodes in the block.
  var count: UInt32 {
    get { words[2] }
    nonmutating set { words[2] = newValue }
  }
  /// The place after the last one that was used.
  var end: UInt32 {
    get { words[3] }
    nonmutating set { words[3] = newValue }
  }

  /// The index of the node at a place, or `EvictionState.none`.
  subscript(place: UInt32) -> UInt32 {
    get { words[Int(place)] }
    nonmutating set { words[Int(place)] = newValue }
  }

  /// Returns the first place, at or after `place`, that holds a node.
  func firstPlace(from place: UInt32) -> UInt32? {
    var place = place
    while place < end {
      if self[place] != EvictionState.none { return place }
      place += 1
    }
    return nil
  }
}
