extension Array {
  /// Returns the elements in order, in parts of at most this many.
  package func parts(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<($0 + Swift.min(size, count - $0))] }
  }
}
