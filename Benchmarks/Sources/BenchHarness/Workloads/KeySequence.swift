/// Which keys a run asks for, made before it.
public enum KeySequence {
  /// Draws by Zipf's law from the numbers below `count`. Which numbers are the popular ones is random, so that they do
  /// not lie side by side in memory.
  public static func zipf(_ length: Int, of count: Int, exponent: Double = 0.99, seed: UInt64) -> [Int] {
    var generator = SplitMix64(seed: 1)
    let numbers = (0..<count).shuffled(using: &generator)
    let law = Zipf(count: count, exponent: exponent)
    var draws = SplitMix64(seed: seed)
    return (0..<length).map { _ in numbers[law.rank(&draws)] }
  }

  /// Draws each of the numbers below `count` with the same probability.
  public static func uniform(_ length: Int, of count: Int, seed: UInt64) -> [Int] {
    var draws = SplitMix64(seed: seed)
    return (0..<length).map { _ in Int.random(in: 0..<count, using: &draws) }
  }
}
