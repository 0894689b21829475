extension Range<Int> {
  /// Returns the numbers of the parts of a length that contain this range. Works for all lengths, without overflow.
  package func parts(of length: Int) -> Range<Int> {
    let first = lowerBound / length
    return first..<(isEmpty ? first : (upperBound - 1) / length + 1)
  }
}
