/// A type of keys to measure with.
protocol BenchKey: Hashable, Sendable {
  /// The key with a number.
  init(number: Int)
}

extension Int: BenchKey { init(number: Int) { self = number } }

extension String: BenchKey {
  /// Nine characters, as long as many identifiers are.
  init(number: Int) {
    let digits = String(number)
    self = "u" + String(repeating: "0", count: Swift.max(0, 8 - digits.count)) + digits
  }
}

extension Array where Element: BenchKey {
  /// The keys with these numbers.
  init(numbers: some Sequence<Int>) { self = numbers.map(Element.init) }
}
