/// A first-in, first-out queue. Operations at both ends take amortised O(1).
@usableFromInline
package struct FIFO<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { head == elements.count }
  @inlinable
  package var count: Int { elements.count - head }
  @inlinable
  package var first: Element? { isEmpty ? nil : elements[head] }

  /// All elements in order.
  package var all: some Sequence<Element> { elements[head...].lazy.compactMap { $0 } }

  @inlinable
  package mutating func append(_ element: Element) { elements.append(element) }

  /// Removes the first element that meets a condition. Returns whether there was one.
  package mutating func removeFirst(where fits: (Element) -> Bool) -> Bool {
    guard let index = elements[head...].firstIndex(where: { $0.map(fits) ?? false }) else { return false }
    elements.remove(at: index)
    if head == elements.count { self = FIFO() }
    return true
  }

  @inlinable
  package mutating func prepend(_ element: Element) {
    if head == 0 {
      elements.insert(element, at: 0)
    } else {
      head -= 1
      elements[head] = element
    }
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    // Most queues have one element: it leaves no empty place.
    if elements.count == 1 { return elements.removeLast() }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head > 64, head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}

extension FIFO: Sendable where Element: Sendable {}
