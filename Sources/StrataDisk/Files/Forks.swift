#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// Keeps locks from passing to children that are forked without `exec`.
///
/// A lock that belongs to an open file is shared by all processes that inherit it, and lives until the last of them
/// closes the file. A child that never uses the store would thus keep the lock of a dead parent. So in a child each
/// guarded descriptor becomes a descriptor of `/dev/null`, and a store that is used there has to open its log again.
enum Forks {
  /// A list node with a descriptor that a child must not keep, or -1. Nodes are reused but never freed, since a fork
  /// may happen at any moment.
  private final class Node: Sendable {
    let descriptor: Atomic<CInt>
    let next: Node?

    init(_ descriptor: CInt, before next: Node?) {
      self.descriptor = Atomic(descriptor)
      self.next = next
    }
  }

  /// The number of forks between the process that loaded the library and this one.
  private static let generation = Atomic(0)
  /// The first node, retained by `guardDescriptor` and never released.
  private static let first = Atomic<UInt>(0)
  private static let isWatching: Bool = pthread_atfork(nil, nil, { Forks.forget() }) == 0

  /// A number that differs between a parent and its child.
  static var count: Int { generation.load(ordering: .relaxed) }

  /// Keeps a descriptor from children until it is released.
  static func guardDescriptor(_ descriptor: CInt) {
    // If there is no memory for the handler, children keep the descriptor, as they would without this type.
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

  /// Ends the guarding of a descriptor that is about to be closed.
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

  /// Runs in a child. Takes no lock and no memory, since another thread of the parent may have held either when it
  /// forked.
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
