/// A page of nodes: a segment of a table, or a part of one that grew beyond a page.
@usableFromInline
struct MemoryPage: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the memory belongs to the table, and is only used under its lock.
  @usableFromInline var nodes: UnsafeMutableRawPointer?
  /// Of a segment's first page: how many entries it holds.
  @usableFromInline var count: UInt32 = 0
  /// Of a segment's first page: how many bits of the hash its entries have in common.
  @usableFromInline var depth: UInt32 = 0
  /// Of a segment's first page: how many nodes it has room for. Zero for other pages, and those that are free.
  @usableFromInline var capacity: UInt32 = 0

  /// A page has two to the power of this nodes. Fewer would make the directory too long for the caches of the
  /// processor, more would make a split longer.
  @inlinable
  static var bits: UInt32 { 10 }
  @inlinable
  static var size: Int { 1 << bits }

  @inlinable
  init() {}

  /// The number of the page of a node.
  @inlinable
  static func number(of index: UInt32) -> Int { Int(index &>> bits) }
  /// The place of a node in its page.
  @inlinable
  static func place(of index: UInt32) -> Int { Int(index & (1 &<< bits &- 1)) }

  /// Whether a segment begins here.
  @inlinable
  var isSegment: Bool { capacity > 0 }
  /// Whether one more entry would make look-ups slow: linear probing takes three looks at four fifths.
  @inlinable
  var isFull: Bool { (count + 1) * 5 > capacity * 4 }
  /// Empty enough to be made smaller.
  @inlinable
  var isSparse: Bool { capacity > 8 && count * 8 < capacity }

  /// The next capacity. Steps of a quarter between halves of full segments and full ones, which are nearly all there
  /// are in a large table, keep those at 62 to 80 percent.
  @inlinable
  var larger: UInt32 {
    switch capacity {
    case 512: 640
    case 640: 800
    case 800: 1024
    default: capacity * 2
    }
  }
  @inlinable
  var smaller: UInt32 {
    switch capacity {
    case 1024: 800
    case 800: 640
    case 640: 512
    default: capacity / 2
    }
  }

  /// The capacity of a segment that comes from a split, with room for so many entries and more to come.
  @inlinable
  static func capacity(for count: UInt32) -> UInt32 {
    var page = MemoryPage()
    page.capacity = 512
    page.count = count
    while page.isFull { page.capacity = page.larger }
    return page.capacity
  }
}
