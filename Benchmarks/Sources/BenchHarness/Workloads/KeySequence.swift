/// Sequences of the keys that runs request, generated in advance.
public enum KeySequence {
  /// Returns numbers below `count` drawn by Zipf's law. The popular numbers are random, so that they are not adjacent
  /// in memory.
  public static func zipf(_ length: Int, of count: Int, exponent: Double = 0.99, seed: UInt64) -> [Int] {
    var generator = SplitMix64(seed: 1)
    let numbers = (0..<count).shuffled(using: &generator)
    let law = Zipf(count: count, exponent: exponent)
    var draws = SplitMix64(seed: seed)
    return (0..<length).map { _ in numbers[law.rank(&draws)] }
  }

  /// Returns numbers below `count` drawn with equal probability.
  public static func uniform(_ length: Int, of count: Int, seed: UInt64) -> [Int] {
    var draws = SplitMix64(seed: seed)
    return (0..<length).map { _ in Int.random(in: 0..<count, using: &draws) }
  }
}
