/// A piece of a queue: half a kilobyte of node indices in their order, with places that were given up in between.
///
/// Unsafe: made and freed by its queue alone, which is used under the lock of a shard.
struct EvictionBlock: @unchecked Sendable {
  // Four words of its own, then those of the nodes.
  private let words: UnsafeMutablePointer<UInt32>

  static var size: UInt32 { 128 }
  /// The first place that is a node's.
  static var start: UInt32 { 4 }
  /// So few nodes leave room for more in a block: a quarter of it, so that it is not full at once.
  static var fewNodes: UInt32 { (size - start) / 4 * 3 }

  init() {
    words = .allocate(capacity: Int(Self.size))
    words.initialize(repeating: EvictionState.none, count: Int(Self.size))
    count = 0
    end = Self.start
  }

  func free() { words.deallocate() }

  /// The number of the block before it.
  var previous: UInt32 {
    get { words[0] }
    nonmutating set { words[0] = newValue }
  }
  /// The number of the block after it.
  var next: UInt32 {
    get { words[1] }
    nonmutating set { words[1] = newValue }
  }
  /// How many nodes it holds.
  var count: UInt32 {
    get { words[2] }
    nonmutating set { words[2] = newValue }
  }
  /// The place behind the last that was given out.
  var end: UInt32 {
    get { words[3] }
    nonmutating set { words[3] = newValue }
  }

  /// The node at a place, or none.
  subscript(place: UInt32) -> UInt32 {
    get { words[Int(place)] }
    nonmutating set { words[Int(place)] = newValue }
  }

  /// The first place from another on that has a node.
  func firstPlace(from place: UInt32) -> UInt32? {
    var place = place
    while place < end {
      if self[place] != EvictionState.none { return place }
      place += 1
    }
    return nil
  }
}
