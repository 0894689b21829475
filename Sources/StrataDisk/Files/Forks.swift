#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// Keeps locks from passing to children that are forked without `exec`.
///
/// A lock that belongs to an open file is shared by all who inherit it, and lives until the last of them closes it: a
/// child that has nothing to do with a store would keep the lock of a parent that died. So in a child each of these
/// descriptors becomes one of `/dev/null`, and whoever uses a store there finds out that it has to be opened anew.
enum Forks {
  /// A descriptor that a child must not keep, or -1. Nodes are never freed, since a child may come at any moment, but
  /// used again.
  private final class Node: Sendable {
    let descriptor: Atomic<CInt>
    let next: Node?

    init(_ descriptor: CInt, before next: Node?) {
      self.descriptor = Atomic(descriptor)
      self.next = next
    }
  }

  /// How many forks lie between this process and the one that loaded the library.
  private static let generation = Atomic(0)
  /// The first node. Each is kept alive by one that was never given back.
  private static let first = Atomic<UInt>(0)
  private static let isWatching: Bool = pthread_atfork(nil, nil, { Forks.forget() }) == 0

  /// Another number in a child than in its parent.
  static var count: Int { generation.load(ordering: .relaxed) }

  /// Keeps a descriptor from children, until it is released.
  static func guardDescriptor(_ descriptor: CInt) {
    // If there is no memory for the handler, children keep the descriptor, as they would without it.
    _ = isWatching
    var node = firstNode
    while let current = node {
      let isTaken = current.descriptor.compareExchange(
        expected: -1, desired: descriptor, ordering: .acquiringAndReleasing
      ).exchanged
      if isTaken { return }
      node = current.next
    }
    while true {
      let head = first.load(ordering: .acquiring)
      let node = Node(descriptor, before: Self.node(head))
      let pointer = UInt(bitPattern: Unmanaged.passRetained(node).toOpaque())
      if first.compareExchange(expected: head, desired: pointer, ordering: .acquiringAndReleasing).exchanged {
        return
      }
      Unmanaged.passUnretained(node).release()
    }
  }

  /// Says that a descriptor is about to be closed.
  static func release(_ descriptor: CInt) {
    var node = firstNode
    while let current = node {
      let isFreed = current.descriptor.compareExchange(
        expected: descriptor, desired: -1, ordering: .acquiringAndReleasing
      ).exchanged
      if isFreed { return }
      node = current.next
    }
  }

  private static var firstNode: Node? { node(first.load(ordering: .acquiring)) }

  private static func node(_ pointer: UInt) -> Node? {
    UnsafeRawPointer(bitPattern: pointer).map { Unmanaged<Node>.fromOpaque($0).takeUnretainedValue() }
  }

  /// In a child: takes no lock and no memory, since another thread of the parent may have been in the middle of either.
  private static func forget() {
    generation.add(1, ordering: .relaxed)
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    var node = firstNode
    while let current = node {
      let descriptor = current.descriptor.load(ordering: .acquiring)
      if descriptor >= 0, nothing >= 0 { dup2(nothing, descriptor) }
      node = current.next
    }
    if nothing >= 0 { close(nothing) }
  }
}
