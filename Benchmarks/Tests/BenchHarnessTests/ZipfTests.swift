import BenchHarness
import Foundation
import Testing

struct ZipfTests {
  /// Checks the sampling at each of the first ranks, and in the rest of the long tail.
  @Test(arguments: [(1000, 0.99), (1000, 1.0), (50, 1.5), (1_000_000, 0.7), (2, 3.0)])
  func `ranks have the frequencies of Zipf's law`(_ count: Int, _ exponent: Double) {
    let weights = (1...count).map { pow(Double($0), -exponent) }
    let total = weights.reduce(0, +)
    let law = Zipf(count: count, exponent: exponent)
    var generator = SplitMix64(seed: 7)
    let draws = 400_000
    var counts = Array(repeating: 0, count: count)
    for _ in 0..<draws { counts[law.rank(&generator)] += 1 }

    func check(_ ranks: Range<Int>) {
      let share = weights[ranks].reduce(0, +) / total
      let expected = share * Double(draws)
      // Five standard deviations of a binomial distribution.
      let slack = 5 * (expected * (1 - share)).squareRoot() + 1
      #expect(abs(Double(counts[ranks].reduce(0, +)) - expected) <= slack, "ranks \(ranks)")
    }
    for rank in 0..<min(count, 10) { check(rank..<rank + 1) }
    check(count / 2..<count)
  }

  @Test func `a distribution of one rank always draws it`() {
    var generator = SplitMix64(seed: 1)
    let law = Zipf(count: 1, exponent: 0.99)
    for _ in 0..<100 { #expect(law.rank(&generator) == 0) }
  }

  @Test func `the same seed draws the same keys, another seed different keys of the same popularity`() {
    let keys = KeySequence.zipf(20_000, of: 100_000, seed: 1)
    #expect(keys == KeySequence.zipf(20_000, of: 100_000, seed: 1))
    let others = KeySequence.zipf(20_000, of: 100_000, seed: 2)
    #expect(keys != others)
    func hottest(_ keys: [Int]) -> Int? {
      Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +).max { $0.value < $1.value }?.key
    }
    #expect(hottest(keys) == hottest(others))
    #expect(hottest(keys) != 0, "the most popular key is a random one")
  }

  @Test func `uniform draws cover exactly their range`() {
    #expect(Set(KeySequence.uniform(10_000, of: 100, seed: 3)) == Set(0..<100))
  }
}
