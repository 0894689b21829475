/// A random sample of a stream of elements, in which every element has the same probability to be included.
struct RandomSample<Element> {
  private let size: Int
  private var seen = 0
  private(set) var elements: [Element] = []

  init(size: Int) { self.size = size }

  mutating func add(_ element: Element) {
    seen += 1
    if elements.count < size { return elements.append(element) }
    let place = Int.random(in: 0..<seen)
    if place < size { elements[place] = element }
  }
}
