/// A first-in, first-out queue. Operations at both ends take amortised O(1).
@usableFromInline
package struct FIFO<Element> {
  /// From `head` on, `nil` stands for an element that was removed. The first and the last are never `nil`.
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0
  /// The number of elements from `head` on that are `nil`.
  @usableFromInline var holes = 0

  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { head == elements.count }
  @inlinable
  package var count: Int { elements.count - head - holes }
  @inlinable
  package var first: Element? { isEmpty ? nil : elements[head] }

  /// All elements in order.
  package var all: some Sequence<Element> { elements[head...].lazy.compactMap { $0 } }

  @inlinable
  package mutating func append(_ element: Element) { elements.append(element) }

  /// Removes an element that meets a condition. Returns whether there was one.
  ///
  /// The search begins at both ends, and no element is moved. Removing all elements in their order, or in the opposite
  /// one, therefore takes O(n).
  package mutating func removeOne(where fits: (Element) -> Bool) -> Bool {
    var (low, high) = (head, elements.count - 1)
    while low <= high {
      for index in [low, high] where elements[index].map(fits) == true {
        elements[index] = nil
        holes += 1
        trim()
        return true
      }
      low += 1
      high -= 1
    }
    return false
  }

  /// Removes the holes at both ends, and all of them if they are the majority.
  @usableFromInline
  mutating func trim() {
    while head < elements.count, case .none = elements[head] {
      head += 1
      holes -= 1
    }
    while head < elements.count, case .some(.none) = elements.last {
      elements.removeLast()
      holes -= 1
    }
    if head == elements.count {
      self = FIFO()
    } else if holes > 64, holes * 2 > elements.count - head {
      elements = Array(elements[head...].lazy.filter { if case .some = $0 { true } else { false } })
      (head, holes) = (0, 0)
    }
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
    if holes > 0 { trim() }
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
