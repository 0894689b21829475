import Synchronization

/// The textbook LRU cache: a dictionary of the nodes of a doubly linked list, behind a mutex.
final class TextbookLRU<Key: Hashable & Sendable, Value: Weighable>: Cache {
  private let list: Mutex<List>

  init(capacity: Int) { list = Mutex(List(capacity: capacity)) }

  func value(forKey key: Key) -> Value? { list.withLock { $0.value(forKey: key) } }
  func store(_ value: Value, forKey key: Key) { list.withLock { $0.store(value, forKey: key) } }

  private final class Node {
    let key: Key
    var value: Value
    var next: Node?
    unowned(unsafe) var previous: Node?

    init(_ key: Key, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  private struct List {
    let capacity: Int
    private var nodes: [Key: Node] = [:]
    private var newest: Node?
    private var oldest: Node?

    init(capacity: Int) { self.capacity = capacity }

    mutating func value(forKey key: Key) -> Value? {
      guard let node = nodes[key] else { return nil }
      moveToFront(node)
      return node.value
    }

    mutating func store(_ value: Value, forKey key: Key) {
      if let node = nodes[key] {
        node.value = value
        moveToFront(node)
        return
      }
      if nodes.count == capacity, let oldest {
        unlink(oldest)
        nodes[oldest.key] = nil
      }
      let node = Node(key, value)
      nodes[key] = node
      pushFront(node)
    }

    private mutating func moveToFront(_ node: Node) {
      if node === newest { return }
      unlink(node)
      pushFront(node)
    }

    private mutating func pushFront(_ node: Node) {
      node.next = newest
      newest?.previous = node
      newest = node
      if oldest == nil { oldest = node }
    }

    private mutating func unlink(_ node: Node) {
      let (previous, next) = (node.previous, node.next)
      if let previous { previous.next = next } else { newest = next }
      if let next { next.previous = previous } else { oldest = previous }
      node.previous = nil
      node.next = nil
    }
  }
}
