/// A fixed number of values, each in cache lines of its own, so that threads with different values do not share a cache
/// line.
///
/// Unchecked: the memory is allocated once, never replaced, and freed with its owner; the values are `Sendable`.
@usableFromInline
package struct PaddedBuffer<Element: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let memory: UnsafeMutableRawPointer
  @usableFromInline let mask: Int

  /// Creates `count` values, which must be a power of two.
  package init(count: Int, _ make: () -> Element) {
    precondition(count.nonzeroBitCount == 1, "the number of values must be a power of two")
    mask = count - 1
    memory = .allocate(byteCount: count * Self.stride, alignment: Self.lines)
    for number in 0..<count { self[number].initialize(to: make()) }
  }

  deinit {
    for number in 0...mask { self[number].deinitialize(count: 1) }
    memory.deallocate()
  }

  @inlinable
  package var count: Int { mask &+ 1 }

  /// The value that the lowest bits of a hash select.
  @inlinable
  package subscript(hash: Int) -> UnsafeMutablePointer<Element> {
    (memory + (hash & mask) &* Self.stride).assumingMemoryBound(to: Element.self)
  }

  /// The size of two cache lines: processors fetch them in pairs.
  @inlinable
  static var lines: Int { 128 }
  @inlinable
  static var stride: Int { (MemoryLayout<Element>.stride &+ lines &- 1) / lines &* lines }
}
