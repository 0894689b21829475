/// An entry of a memory storage, stored in place in its table.
///
/// In an empty place only the state is initialised, and its bits are zero.
@usableFromInline
struct MemoryNode<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  // First, so that its offset does not depend on the types that follow.
  @usableFromInline var state: EvictionState
  @usableFromInline var key: Key
  @usableFromInline var value: Value

  @inlinable
  init(key: Key, value: Value, hash: UInt32) {
    state = EvictionState(hash: hash, bits: EvictionState.isEntry)
    self.key = key
    self.value = value
  }
}

extension EvictionState {
  /// The bit that is set if the place holds an entry.
  @inlinable
  static var isEntry: UInt32 { 1 << 31 }
  /// The bit that is set if the entry has a timer.
  @inlinable
  static var isTimed: UInt32 { 1 << 30 }

  @inlinable
  var isEntry: Bool { bits & Self.isEntry != 0 }

  @inlinable
  var isTimed: Bool {
    get { bits & Self.isTimed != 0 }
    set { bits = newValue ? bits | Self.isTimed : bits & ~Self.isTimed }
  }
}

extension UnsafeMutablePointer {
  /// Moves the key and the value out of a node: a copy of the node would retain and release both.
  @inlinable
  func move<Key, Value>(_ reason: MemoryRemovalReason) -> MemoryRemoval<Key, Value>
  where Pointee == MemoryNode<Key, Value> {
    MemoryRemoval(
      key: withUnsafeMutablePointer(to: &pointee.key) { $0.move() },
      value: withUnsafeMutablePointer(to: &pointee.value) { $0.move() }, reason: reason)
  }

  /// Returns the state of the node at a place. It is initialised in empty places too.
  @inlinable
  func state<Key, Value>(at place: Int) -> UnsafeMutablePointer<EvictionState>
  where Pointee == MemoryNode<Key, Value> {
    UnsafeMutableRawPointer(self + place).assumingMemoryBound(to: EvictionState.self)
  }
}
