/// The entries of one shard: a hash table that grows piece by piece, and beside it what evicts and what expires.
///
/// A directory is indexed by the first bits of a hash and leads to a segment, a small hash table of up to 1024 places
/// with linear probing by the last ten bits. A full segment is split in two, so to grow never moves more than one
/// segment; only where the hashes are so bad that to split is no use does a segment grow instead. The nodes lie in the
/// segments themselves: a look-up goes to one place in memory.
///
/// A node's index is the number of its page (1024 nodes) and its place in that. It changes when a segment is split or a
/// neighbour is removed; `relocate` tells all who know nodes by their index.
///
/// Unchecked and unsafe: memory is made and freed by this table alone, which is used under the lock of its shard.
@usableFromInline
struct MemoryTable<Key: Hashable & Sendable, Value: Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline typealias Node = MemoryNode<Key, Value>

  /// Where the directory leads. Several neighbours in it may lead to one segment.
  @usableFromInline
  struct Segment {
    @usableFromInline let nodes: UnsafeMutablePointer<Node>
    /// The number of its first page; further ones follow it.
    @usableFromInline let page: UInt32
    @usableFromInline let capacity: UInt32

    @inlinable
    init(nodes: UnsafeMutablePointer<Node>, page: UInt32, capacity: UInt32) {
      self.nodes = nodes
      self.page = page
      self.capacity = capacity
    }

    /// The place where the entries of a hash belong.
    @inlinable
    func home(_ hash: UInt32) -> Int {
      let place = Int(((hash & (1 &<< MemoryPage.bits &- 1)) &* capacity) &>> MemoryPage.bits)
      return MemoryTable.isPaired ? place & ~1 : place
    }

    /// The place after another.
    @inlinable
    func next(_ place: Int) -> Int { place &+ 1 == Int(capacity) ? 0 : place &+ 1 }

    /// How many places one is behind another.
    @inlinable
    func distance(from place: Int, to other: Int) -> Int {
      other >= place ? other &- place : other &- place &+ Int(capacity)
    }

    /// The index of a place in it.
    @inlinable
    func index(_ place: Int) -> UInt32 { page &<< MemoryPage.bits &+ UInt32(truncatingIfNeeded: place) }
  }

  /// An entry that was looked up. To get from the index to the node would take one more line of memory, the page's.
  @usableFromInline
  struct Found {
    @usableFromInline let node: UnsafeMutablePointer<Node>
    @usableFromInline let index: UInt32

    @inlinable
    init(node: UnsafeMutablePointer<Node>, index: UInt32) {
      self.node = node
      self.index = index
    }
  }

  // What a hit needs comes first, the beginning of the policy included: it lies in one line of memory with the lock.
  @usableFromInline var directory: UnsafeMutablePointer<Segment>
  /// The directory has two to the power of this places.
  @usableFromInline var depth = 0
  /// How many reads found what was valid.
  @usableFromInline var hits = 0
  @usableFromInline var policy = EvictionPolicy()

  /// How many segments have that depth: without any, half of the directory will do.
  @usableFromInline var deepSegments = 1
  @usableFromInline var pages: UnsafeMutablePointer<MemoryPage>
  @usableFromInline var pageCount = 0
  @usableFromInline var pageRoom = 4
  @usableFromInline var freePages: [UInt32] = []
  @usableFromInline var count = 0

  @usableFromInline var events = MemoryEvents()
  @usableFromInline var timers = TimerWheel()
  /// Of each entry when it was last used, and when it expires all the same; where an idle time is set.
  @usableFromInline var uses = PagedArray<EntryUse>()
  @usableFromInline let idleTime: Double?
  /// What each entry costs, where costs are limited, and what all cost.
  @usableFromInline var costs = PagedArray<Int>()
  @usableFromInline let hasCosts: Bool
  @usableFromInline var cost = 0
  /// The keys that an update has read and nobody has written since.
  @usableFromInline var watched: Set<Key> = []

  @inlinable
  init(hasCosts: Bool, idleTime: Double?) {
    self.hasCosts = hasCosts
    self.idleTime = idleTime
    pages = .allocate(capacity: 4)
    directory = .allocate(capacity: 1)
    directory.initialize(to: makeSegment(capacity: 8, depth: 0))
  }

  @inlinable
  deinit {
    for number in 0..<pageCount where pages[number].isSegment {
      let nodes = pages[number].nodes.unsafelyUnwrapped.assumingMemoryBound(to: Node.self)
      for place in 0..<Int(pages[number].capacity) where nodes.state(at: place).pointee.isEntry {
        (nodes + place).deinitialize(count: 1)
      }
      nodes.deallocate()
    }
    pages.deallocate()
    directory.deallocate()
  }

  /// The states of all nodes, for the policy.
  @inlinable
  var nodes: EvictionNodes {
    EvictionNodes(pages: pages, stride: MemoryLayout<Node>.stride, costs: hasCosts ? costs.pages : nil)
  }

  // MARK: Finding

  /// Whether two nodes share a line of memory: then look-ups begin with the first of two, and both are of one line.
  @inlinable
  static var isPaired: Bool { MemoryLayout<Node>.stride == 32 }

  /// The segment of a hash.
  @inlinable
  func segment(_ hash: UInt32) -> Segment {
    directory[Int(truncatingIfNeeded: UInt64(hash) &>> UInt64(truncatingIfNeeded: 32 &- depth))]
  }

  /// The place of a key in its segment, if it is there.
  @inlinable
  @inline(__always)
  func find(_ key: Key, hash: UInt32, in segment: Segment) -> Int? {
    var place = segment.home(hash)
    // Which of a pair it is cannot be predicted, so there is no branch for it.
    if Self.isPaired { place &+= segment.nodes.state(at: place).pointee.hash == hash ? 0 : 1 }
    while true {
      let state = segment.nodes.state(at: place)
      if state.pointee.hash == hash, state.pointee.isEntry, segment.nodes[place].key == key { return place }
      if !state.pointee.isEntry { return nil }
      place = segment.next(place)
    }
  }

  /// The index of a key, if it is there. Valid until an entry is added or removed.
  ///
  /// Always in line, as all that reads a table and is called often: the compiler copies the table for a call, some 400
  /// bytes.
  @inlinable
  @inline(__always)
  func index(of key: Key, hash: UInt32) -> UInt32? { entry(of: key, hash: hash)?.index }

  /// The entry of a key, if it is there. Valid until one is added or removed.
  @inlinable
  @inline(__always)
  func entry(of key: Key, hash: UInt32) -> Found? {
    let segment = segment(hash)
    guard let place = find(key, hash: hash, in: segment) else { return nil }
    return Found(node: segment.nodes + place, index: segment.index(place))
  }

  /// The node at an index.
  @inlinable
  subscript(index: UInt32) -> UnsafeMutablePointer<Node> {
    let page = pages[MemoryPage.number(of: index)].nodes.unsafelyUnwrapped
    return page.assumingMemoryBound(to: Node.self) + MemoryPage.place(of: index)
  }

  /// Calls `body` with the index of each entry.
  @inlinable
  func forEachIndex(_ body: (UInt32) -> Void) {
    for number in 0..<pageCount where pages[number].isSegment {
      let first = UInt32(number) << MemoryPage.bits
      for index in first..<(first + pages[number].capacity) where nodes[index].pointee.isEntry {
        body(index)
      }
    }
  }
}
