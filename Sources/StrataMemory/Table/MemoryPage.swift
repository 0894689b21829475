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

  @inlinable
  init() {}

  /// Whether a segment begins here.
  @inlinable
  var isSegment: Bool { capacity > 0 }
  /// Whether one more entry would make look-ups slow: linear probing takes three looks at four fifths.
  @inlinable
  var isFull: Bool { (count + 1) * 5 > capacity * 4 }
  /// Empty enough to be made smaller.
  @inlinable
  var isSparse: Bool { capacity > 8 && count * 8 < capacity }

  /// The next capacity. Steps of a quarter between halves of full segments and full ones, which are nearly all there are in a large
  /// table, keep those at 62 to 80 percent.
  @inlinable
  var larger: UInt32 {
    switch capacity {
    case 128: 160
    case 160: 200
    case 200: 256
    default: capacity * 2
    }
  }
  @inlinable
  var smaller: UInt32 {
    switch capacity {
    case 256: 200
    case 200: 160
    case 160: 128
    default: capacity / 2
    }
  }

  /// The capacity of a segment that comes from a split, with room for so many entries and more to come.
  @inlinable
  static func capacity(for count: UInt32) -> UInt32 {
    var page = MemoryPage()
    page.capacity = 128
    page.count = count
    while page.isFull { page.capacity = page.larger }
    return page.capacity
  }
}
