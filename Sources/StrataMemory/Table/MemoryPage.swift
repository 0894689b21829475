/// A page of nodes: a segment of a table, or a part of a segment that has grown beyond one page.
@usableFromInline
struct MemoryPage: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the memory belongs to the table, and is only used under its lock.
  @usableFromInline var nodes: UnsafeMutableRawPointer?
  /// In a segment's first page: the number of its entries.
  @usableFromInline var count: UInt32 = 0
  /// In a segment's first page: how many leading bits of the hash its entries share.
  @usableFromInline var depth: UInt32 = 0
  /// In a segment's first page: the number of its nodes. Zero in other pages, and in free ones.
  @usableFromInline var capacity: UInt32 = 0

  /// The binary logarithm of the number of nodes in a page. Smaller pages would make the directory too long for the
  /// processor's caches; larger ones would make a split take longer.
  @inlinable
  static var bits: UInt32 { 10 }
  @inlinable
  static var size: Int { 1 << bits }

  @inlinable
  init() {}

  /// Returns the number of the page that holds a node.
  @inlinable
  static func number(of index: UInt32) -> Int { Int(index &>> bits) }
  /// Returns the place of a node in its page.
  @inlinable
  static func place(of index: UInt32) -> Int { Int(index & (1 &<< bits &- 1)) }

  /// Whether a segment begins here.
  @inlinable
  var isSegment: Bool { capacity > 0 }
  /// Whether one more entry would make look-ups slow: linear probing takes three probes at a load of four fifths.
  @inlinable
  var isFull: Bool { (count + 1) * 5 > capacity * 4 }
  /// Whether the segment is empty enough to be made smaller.
  @inlinable
  var isSparse: Bool { capacity > 8 && count * 8 < capacity }

  /// The next larger capacity. Nearly all segments of a large table are between half full and full; the steps of a
  /// quarter keep their load at 62 to 80 percent.
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

  /// Returns the capacity of a segment that a split fills with `count` entries, with room for more.
  @inlinable
  static func capacity(for count: UInt32) -> UInt32 {
    var page = MemoryPage()
    page.capacity = 512
    page.count = count
    while page.isFull { page.capacity = page.larger }
    return page.capacity
  }
}
