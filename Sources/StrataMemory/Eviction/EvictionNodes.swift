/// What eviction knows of one entry. It lies inside the entry's node, so that a hit touches no other line of memory.
@usableFromInline
struct EvictionState: Sendable {
  /// The low half of the key's hash; it never changes.
  @usableFromInline let hash: UInt32
  /// When it was last used, by the clock of the policy.
  @usableFromInline var lastUse: UInt32 = 0
  /// Where it stands in its queue.
  @usableFromInline var slot: UInt32 = 0
  /// The low 24 bits belong to the policy, the high 8 to the table.
  @usableFromInline var bits: UInt32

  @inlinable
  init(hash: UInt32, bits: UInt32) {
    self.hash = hash
    self.bits = bits
  }

  /// The index that is no node's.
  @inlinable
  static var none: UInt32 { .max }
}

/// How eviction reaches the state of a node: it knows nothing of keys and values, so it need not be generic.
///
/// Unsafe: valid while the table that made it is locked and no page is added to it.
@usableFromInline
struct EvictionNodes {
  @usableFromInline let pages: UnsafeMutablePointer<MemoryPage>
  @usableFromInline let stride: Int
  @usableFromInline let costs: UnsafeMutablePointer<UnsafeMutablePointer<Int>?>?

  @inlinable
  init(
    pages: UnsafeMutablePointer<MemoryPage>, stride: Int,
    costs: UnsafeMutablePointer<UnsafeMutablePointer<Int>?>?
  ) {
    self.pages = pages
    self.stride = stride
    self.costs = costs
  }

  @inlinable
  subscript(index: UInt32) -> UnsafeMutablePointer<EvictionState> {
    let page = pages[MemoryPage.number(of: index)].nodes.unsafelyUnwrapped
    return (page + MemoryPage.place(of: index) &* stride).assumingMemoryBound(to: EvictionState.self)
  }

  /// What an entry costs; 1 where costs do not matter.
  @inlinable
  func cost(of index: UInt32) -> Int {
    guard let costs else { return 1 }
    return PagedArray.element(index, of: costs)
  }
}
