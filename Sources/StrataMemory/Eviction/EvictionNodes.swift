/// The eviction state of one entry. It lies inside the entry's node, so that a hit touches no other cache line.
@usableFromInline
struct EvictionState: Sendable {
  /// The low 32 bits of the key's hash; they never change.
  @usableFromInline let hash: UInt32
  /// The time of the last use, by the clock of the policy.
  @usableFromInline var lastUse: UInt32 = 0
  /// The slot of the node in its queue.
  @usableFromInline var slot: UInt32 = 0
  /// The low 24 bits belong to the policy, the high 8 to the table.
  @usableFromInline var bits: UInt32

  @inlinable
  init(hash: UInt32, bits: UInt32) {
    self.hash = hash
    self.bits = bits
  }

  /// The index that stands for "no node".
  @inlinable
  static var none: UInt32 { .max }
}

/// Access to the states of all nodes for eviction, which needs neither keys nor values and so is not generic.
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

  /// Returns the cost of an entry; 1 if costs are not limited.
  @inlinable
  func cost(of index: UInt32) -> Int {
    guard let costs else { return 1 }
    return PagedArray.element(index, of: costs)
  }
}
