/// A fixed number of values, each in lines of memory of its own, so that threads that use different ones do not meet in
/// one.
///
/// Unchecked: the memory is made once, never replaced, and freed with its owner; what is in it is `Sendable`.
@usableFromInline
package struct PaddedBuffer<Element: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let memory: UnsafeMutableRawPointer
  @usableFromInline let mask: Int

  /// Makes a power of two of values.
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

  /// The value that a hash stands for, by its last bits.
  @inlinable
  package subscript(hash: Int) -> UnsafeMutablePointer<Element> {
    (memory + (hash & mask) &* Self.stride).assumingMemoryBound(to: Element.self)
  }

  /// Two lines of memory: processors fetch them in pairs.
  @inlinable
  static var lines: Int { 128 }
  @inlinable
  static var stride: Int { (MemoryLayout<Element>.stride &+ lines &- 1) / lines &* lines }
}
