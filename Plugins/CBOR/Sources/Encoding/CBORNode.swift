/// A container, or a value whose kind is not known yet.
struct CBORNode {
  enum Kind: UInt8 {
    case undecided, single, array, map

    @inline(__always) var isContainer: Bool { rawValue >= 2 }
    @inline(__always) var major: UInt8 { self == .array ? MajorType.array : MajorType.map }
  }

  var kind: Kind
  /// Whether a second container was requested, which may repeat a key.
  var isShared = false
  /// Whether the container is written behind the end of its parent, and moved into the parent later.
  var isDetached = false
  let serial: UInt32
  let parent: Int
  /// The offset of its key in the parent; -1 minus its index if the parent is an array; 0 at the top level.
  var key: Int
  var start: Int
  var end = -1
  var count = 0
  var headSize = 0
  /// The offset of the last written key; in an array, -1 minus the last index.
  var lastKey = 0

  init(kind: Kind, serial: UInt32, parent: Int, key: Int, start: Int) {
    (self.kind, self.serial, self.parent, self.key, self.start) = (kind, serial, parent, key, start)
  }

  @inline(__always) var isClosed: Bool { end >= 0 }
}

/// A reference to a node. It may outlive the node.
struct CBORNodeID {
  let index: Int
  let serial: UInt32

  /// A reference to no node. Nothing can be written to it.
  static let none = CBORNodeID(index: .max, serial: 0)
}

/// The nodes of an encoding; the last one belongs to the innermost value.
///
/// Not an array, whose checks took a tenth of the time of encoding a small value. An index is checked once, when a
/// reference is resolved to a node.
struct CBORNodes: ~Copyable {
  private var base: UnsafeMutablePointer<CBORNode>
  private var capacity = 16
  private(set) var count = 0

  init() { base = .allocate(capacity: capacity) }

  deinit { base.deallocate() }

  /// Adds a node and returns its index.
  @inline(__always)
  mutating func push(_ node: CBORNode) -> Int {
    if count == capacity { grow() }
    (base + count).initialize(to: node)
    count += 1
    return count - 1
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<CBORNode>.allocate(capacity: 2 * capacity)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    (base, capacity) = (larger, 2 * capacity)
  }

  /// Removes all nodes but the first `size`. If none is left, frees memory beyond the amount worth keeping.
  @inline(__always)
  mutating func truncate(to size: Int) {
    count = size
    if size == 0 && capacity > 1024 { self = CBORNodes() }
  }

  @inline(__always)
  subscript(index: Int) -> CBORNode {
    _read { yield base[index] }
    nonmutating _modify { yield &base[index] }
  }
}
