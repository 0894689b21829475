/// The entries of one shard: a hash table that grows one segment at a time, with the eviction policy and the timers.
///
/// The first bits of a hash index a directory of segments. A segment is a small hash table of up to 1024 places with
/// linear probing by the last ten bits. A full segment is split in two, so growth never moves more than one segment. A
/// segment grows instead only if its hashes are too similar to be split. The nodes lie in the segments themselves, so a
/// look-up goes to one place in memory.
///
/// A node's index is the number of its page (1024 nodes) and its place in the page. It changes when a segment is split
/// or a neighbour is removed; `relocate` then updates everything that refers to the node by index.
///
/// Unchecked and unsafe: only this table allocates and frees the memory, and it is used under the lock of its shard.
@usableFromInline
struct MemoryTable<Key: Hashable & Sendable, Value: Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline typealias Node = MemoryNode<Key, Value>

  /// A directory entry. Several neighbouring places of the directory may lead to one segment.
  @usableFromInline
  struct Segment {
    @usableFromInline let nodes: UnsafeMutablePointer<Node>
    /// The number of its first page; its other pages follow consecutively.
    @usableFromInline let page: UInt32
    @usableFromInline let capacity: UInt32

    @inlinable
    init(nodes: UnsafeMutablePointer<Node>, page: UInt32, capacity: UInt32) {
      self.nodes = nodes
      self.page = page
      self.capacity = capacity
    }

    /// Returns the place where probing for a hash begins.
    @inlinable
    func home(_ hash: UInt32) -> Int {
      let place = Int(((hash & (1 &<< MemoryPage.bits &- 1)) &* capacity) &>> MemoryPage.bits)
      return MemoryTable.isPaired ? place & ~1 : place
    }

    /// The tag of each place: a byte of the hash of its entry, or zero if it is empty. Only if the table `hasTags`.
    @inlinable
    var tags: UnsafeMutablePointer<UInt8> { memory.assumingMemoryBound(to: UInt8.self) }

    /// The memory of the segment: the tags, then the nodes.
    @inlinable
    var memory: UnsafeMutableRawPointer { UnsafeMutableRawPointer(nodes) - MemoryTable.tagBytes(capacity) }

    /// Sets the tag of a place.
    @inlinable
    func setTag(_ tag: UInt8, at place: Int) { if MemoryTable.hasTags { tags[place] = tag } }

    /// Returns whether there is no entry at a place.
    @inlinable
    func isEmpty(_ place: Int) -> Bool {
      MemoryTable.hasTags ? tags[place] == 0 : !nodes.state(at: place).pointee.isEntry
    }

    /// Returns the place after another, wrapping round at the end.
    @inlinable
    func next(_ place: Int) -> Int { place &+ 1 == Int(capacity) ? 0 : place &+ 1 }

    /// Returns how many places `other` is behind `place`.
    @inlinable
    func distance(from place: Int, to other: Int) -> Int {
      other >= place ? other &- place : other &- place &+ Int(capacity)
    }

    /// Returns the index of a place in this segment.
    @inlinable
    func index(_ place: Int) -> UInt32 { page &<< MemoryPage.bits &+ UInt32(truncatingIfNeeded: place) }
  }

  /// The node and index of an entry that was looked up. To get the node from the index would read one more cache line,
  /// the page's.
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

  // The fields that a hit or an overwrite needs come first, up to the first two of the policy: they fill the cache line
  // of the lock. Threads that use different keys of a shard exchange one line, not one for each field.
  @usableFromInline var directory: UnsafeMutablePointer<Segment>
  /// The binary logarithm of the number of places in the directory.
  @usableFromInline var depth = 0
  /// The number of reads that found a valid entry.
  @usableFromInline var hits = 0
  /// The number of reads that found no valid entry.
  @usableFromInline var misses = 0
  /// The number of values that were replaced.
  @usableFromInline var replacements = 0
  /// The keys that updates and loads have read and that no other caller has changed since.
  @usableFromInline var watched = KeyWatches<Key>()
  @usableFromInline var policy = EvictionPolicy()

  /// The number of segments as deep as the directory. At zero, the directory can be halved.
  @usableFromInline var deepSegments = 1
  @usableFromInline var pages: UnsafeMutablePointer<MemoryPage>
  @usableFromInline var pageCount = 0
  @usableFromInline var pageRoom = 4
  @usableFromInline var freePages: [UInt32] = []
  @usableFromInline var count = 0

  @usableFromInline var events = MemoryEvents()
  @usableFromInline var timers = TimerWheel()
  /// The last use and the own expiry of each entry, if an idle time is set.
  @usableFromInline var uses = PagedArray<EntryUse>()
  @usableFromInline let idleTime: Double?
  /// The cost of each entry, if costs are limited; `cost` is their sum.
  @usableFromInline var costs = PagedArray<Int>()
  @usableFromInline let hasCosts: Bool
  @usableFromInline var cost = 0

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
      (UnsafeMutableRawPointer(nodes) - Self.tagBytes(pages[number].capacity)).deallocate()
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

  /// Whether two nodes share a cache line. Look-ups then begin with the first of the two, so both are in one line.
  @inlinable
  static var isPaired: Bool { MemoryLayout<Node>.stride == 32 }

  /// Whether segments have tags: in cache lines of their own, so that a look-up passes other entries, which other
  /// threads may write to, without reading their nodes. Not for paired nodes, of which one line holds all that a
  /// look-up reads.
  @inlinable
  static var hasTags: Bool { !isPaired }

  /// Returns the number of bytes of the tags of a segment: whole cache lines.
  @inlinable
  static func tagBytes(_ capacity: UInt32) -> Int { hasTags ? (Int(capacity) &+ 63) & ~63 : 0 }

  /// Returns the tag of a hash: bits that select neither a shard nor a home. Not zero.
  @inlinable
  static func tag(_ hash: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: hash &>> 14) | 1 }

  /// Returns the segment of a hash.
  @inlinable
  func segment(_ hash: UInt32) -> Segment {
    directory[Int(truncatingIfNeeded: UInt64(hash) &>> UInt64(truncatingIfNeeded: 32 &- depth))]
  }

  /// Returns the place of a key in its segment, or `nil` if it is not there.
  @inlinable
  @inline(__always)
  func find(_ key: Key, hash: UInt32, in segment: Segment) -> Int? {
    var place = segment.home(hash)
    // The processor cannot predict which node of the pair it is, so there is no branch for it.
    if Self.isPaired { place &+= segment.nodes.state(at: place).pointee.hash == hash ? 0 : 1 }
    let tag = Self.tag(hash)
    while true {
      let state = segment.nodes.state(at: place)
      let isLikely =
        Self.hasTags ? segment.tags[place] == tag : state.pointee.hash == hash && state.pointee.isEntry
      if isLikely, state.pointee.hash == hash, segment.nodes[place].key == key { return place }
      if segment.isEmpty(place) { return nil }
      place = segment.next(place)
    }
  }

  /// Returns the index of a key, or `nil` if it is not there. Valid until an entry is added or removed.
  ///
  /// Always inlined, like all frequent reads of a table: for a call, the compiler copies the table, some 400 bytes.
  @inlinable
  @inline(__always)
  func index(of key: Key, hash: UInt32) -> UInt32? { entry(of: key, hash: hash)?.index }

  /// Returns the entry of a key, or `nil` if it is not there. Valid until an entry is added or removed.
  @inlinable
  @inline(__always)
  func entry(of key: Key, hash: UInt32) -> Found? {
    let segment = segment(hash)
    guard let place = find(key, hash: hash, in: segment) else { return nil }
    return Found(node: segment.nodes + place, index: segment.index(place))
  }

  /// Returns the node at an index.
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
