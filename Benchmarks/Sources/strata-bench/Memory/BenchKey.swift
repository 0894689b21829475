/// A key type for measurements.
protocol BenchKey: Hashable, Sendable {
  /// Creates the key with a number.
  init(number: Int)
}

extension Int: BenchKey { init(number: Int) { self = number } }

extension String: BenchKey {
  /// Creates a key of nine characters, a typical length for identifiers.
  init(number: Int) {
    let digits = String(number)
    self = "u" + String(repeating: "0", count: Swift.max(0, 8 - digits.count)) + digits
  }
}

extension Array where Element: BenchKey {
  /// Creates the keys with these numbers.
  init(numbers: some Sequence<Int>) { self = numbers.map(Element.init) }
}
