import BenchHarness

extension Trace {
  /// Returns the requests for one of every `count` keys, chosen by a hash. Samples with different `index` share no key.
  ///
  /// A cache smaller by the same factor has nearly the same hit ratio over the sample (C. Waldspurger and others,
  /// SHARDS, 2015), since whole keys are dropped and not single requests.
  public func sample(_ index: Int, of count: Int) -> Trace {
    var sample = Trace(name: name, hasCosts: costs != nil)
    var numbers = Array(repeating: Int32(-1), count: uniqueCount)
    var next: Int32 = 0
    for (place, key) in requests.enumerated() {
      guard SplitMix64.mix(UInt64(key) &+ 0x5EED) % UInt64(count) == UInt64(index) else { continue }
      if numbers[Int(key)] < 0 {
        numbers[Int(key)] = next
        next += 1
      }
      sample.add(numbers[Int(key)], cost: cost(at: place))
    }
    return sample
  }
}
