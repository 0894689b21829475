extension MemoryTable {
  /// Makes room in the segment of a hash. Moves at most the entries of that segment.
  @inlinable
  mutating func grow(_ hash: UInt32) {
    let page = pages[Int(segment(hash).page)]
    if page.capacity >= MemoryPage.size, mayBeSplit(page) {
      split(hash)
    } else {
      rebuild(hash, capacity: page.larger)
    }
  }

  /// Returns whether a split is worthwhile. Good hashes spread evenly, so a directory much longer than the list of
  /// segments indicates hashes with many common bits. A split would then only lengthen the directory.
  @inlinable
  func mayBeSplit(_ page: MemoryPage) -> Bool {
    page.depth < depth || (depth < 24 && 1 << depth <= 16 * (pageCount - freePages.count))
  }

  @inlinable
  mutating func split(_ hash: UInt32) {
    let old = segment(hash)
    let page = pages[Int(old.page)]
    let depth = Int(page.depth) + 1
    if depth > self.depth { doubleDirectory() }
    let isSecond = { (hash: UInt32) in hash &>> UInt32(32 - depth) & 1 == 1 }
    let second = UInt32(
      (0..<Int(old.capacity)).count { place in
        let state = old.nodes.state(at: place).pointee
        return state.isEntry && isSecond(state.hash)
      })
    let halves = (
      makeSegment(capacity: MemoryPage.capacity(for: page.count - second), depth: depth),
      makeSegment(capacity: MemoryPage.capacity(for: second), depth: depth)
    )
    moveEntries(of: old) { isSecond($0) ? halves.1 : halves.0 }
    let places = directoryPlaces(of: hash, depth: depth - 1)
    let middle = places.lowerBound + places.count / 2
    (directory + places.lowerBound).update(repeating: halves.0, count: places.count / 2)
    (directory + middle).update(repeating: halves.1, count: places.count / 2)
    if depth == self.depth { deepSegments += 2 }
    free(old)
  }

  /// Moves the entries of a segment to a larger or smaller one.
  @inlinable
  mutating func rebuild(_ hash: UInt32, capacity: UInt32) {
    let old = segment(hash)
    let depth = Int(pages[Int(old.page)].depth)
    let new = makeSegment(capacity: capacity, depth: depth)
    moveEntries(of: old) { _ in new }
    let places = directoryPlaces(of: hash, depth: depth)
    (directory + places.lowerBound).update(repeating: new, count: places.count)
    free(old)
  }

  /// Gives memory back: joins a nearly empty segment to its sister, or makes it smaller.
  @inlinable
  mutating func shrink(_ hash: UInt32) {
    let old = segment(hash)
    let page = pages[Int(old.page)]
    guard page.depth > 0, page.capacity <= MemoryPage.size else {
      return rebuild(hash, capacity: page.smaller)
    }
    let depth = Int(page.depth)
    let sister = segment(hash ^ 1 << UInt32(32 - depth))
    let other = pages[Int(sister.page)]
    guard other.depth == page.depth, (page.count + other.count) * 8 <= page.smaller * 3 else { return }
    let new = makeSegment(capacity: page.smaller, depth: depth - 1)
    moveEntries(of: old) { _ in new }
    moveEntries(of: sister) { _ in new }
    let places = directoryPlaces(of: hash, depth: depth - 1)
    (directory + places.lowerBound).update(repeating: new, count: places.count)
    free(old)
    free(sister)
    if depth == self.depth {
      deepSegments -= 2
      if deepSegments == 0 { halveDirectory() }
    }
  }

  @inlinable
  mutating func moveEntries(of old: Segment, to segment: (UInt32) -> Segment) {
    for place in 0..<Int(old.capacity) where old.nodes.state(at: place).pointee.isEntry {
      let hash = old.nodes.state(at: place).pointee.hash
      let new = segment(hash)
      let newPlace = emptyPlace(for: hash, in: new)
      (new.nodes + newPlace).moveInitialize(from: old.nodes + place, count: 1)
      new.setTag(Self.tag(hash), at: newPlace)
      pages[Int(new.page)].count += 1
      relocate(old.index(place), to: new.index(newPlace))
    }
  }

  // MARK: The directory

  /// Returns the range of the directory whose places begin with the first `depth` bits of a hash.
  @inlinable
  func directoryPlaces(of hash: UInt32, depth: Int) -> Range<Int> {
    let count = 1 << (self.depth - depth)
    let first = Int(UInt64(hash) >> UInt64(32 - depth)) * count
    return first..<(first + count)
  }

  @inlinable
  mutating func doubleDirectory() {
    let larger = UnsafeMutablePointer<Segment>.allocate(capacity: 2 << depth)
    for place in 0..<(1 << depth) { (larger + 2 * place).initialize(repeating: directory[place], count: 2) }
    directory.deallocate()
    directory = larger
    depth += 1
    deepSegments = 0
  }

  @inlinable
  mutating func halveDirectory() {
    depth -= 1
    let smaller = UnsafeMutablePointer<Segment>.allocate(capacity: 1 << depth)
    for place in 0..<(1 << depth) { (smaller + place).initialize(to: directory[2 * place]) }
    directory.deallocate()
    directory = smaller
    deepSegments = (0..<pageCount).count { pages[$0].isSegment && Int(pages[$0].depth) == depth }
  }

  // MARK: Segments

  @inlinable
  mutating func makeSegment(capacity: UInt32, depth: Int) -> Segment {
    let number = takePages(max(1, Int(capacity) / MemoryPage.size))
    // Aligned to cache lines, so that small nodes do not straddle two.
    let tagBytes = Self.tagBytes(capacity)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: tagBytes + Int(capacity) * MemoryLayout<Node>.stride, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: tagBytes)
    let nodes = (memory + tagBytes).bindMemory(to: Node.self, capacity: Int(capacity))
    for place in 0..<Int(capacity) {
      nodes.state(at: place).initialize(to: EvictionState(hash: 0, bits: 0))
    }
    for part in stride(from: 0, to: Int(capacity), by: MemoryPage.size) {
      let page = number + part / MemoryPage.size
      pages[page] = MemoryPage()
      pages[page].nodes = UnsafeMutableRawPointer(nodes + part)
    }
    pages[number].depth = UInt32(depth)
    pages[number].capacity = capacity
    let segment = Segment(nodes: nodes, page: UInt32(number), capacity: capacity)
    if hasCosts { costs.addPages(from: segment.index(0), count: capacity, filledWith: 0) }
    return segment
  }

  /// Frees the memory of a segment whose entries have moved elsewhere.
  @inlinable
  mutating func free(_ segment: Segment) {
    let number = Int(segment.page)
    for page in number..<(number + max(1, Int(segment.capacity) / MemoryPage.size)) {
      pages[page] = MemoryPage()
      freePages.append(UInt32(page))
    }
    costs.removePages(from: segment.index(0), count: segment.capacity)
    uses.removePages(from: segment.index(0), count: segment.capacity)
    timers.removePages(from: segment.index(0), count: segment.capacity)
    segment.memory.deallocate()
  }

  /// Returns the first of `count` consecutive page numbers.
  @inlinable
  mutating func takePages(_ count: Int) -> Int {
    if count == 1, let free = freePages.popLast() { return Int(free) }
    precondition(
      pageCount + count <= 1 << (32 - MemoryPage.bits),
      "a memory storage has room for 3 221 225 472 entries a shard")
    if pageCount + count > pageRoom {
      let room = max(pageRoom * 2, pageCount + count)
      let larger = UnsafeMutablePointer<MemoryPage>.allocate(capacity: room)
      larger.moveInitialize(from: pages, count: pageCount)
      pages.deallocate()
      pages = larger
      pageRoom = room
    }
    (pages + pageCount).initialize(repeating: MemoryPage(), count: count)
    pageCount += count
    return pageCount - count
  }
}
