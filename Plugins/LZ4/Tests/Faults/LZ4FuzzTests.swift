import StrataLZ4
import TestSupport
import Testing

@Suite("The fuzzer of LZ4", .endsInTime) struct LZ4FuzzTests {
  @Test("its seeds, whole and damaged, break no promise")
  func seeds() throws {
    var generator = SeededGenerator(seed: 7)
    for seed in try LZ4Fuzz.seeds {
      try LZ4Fuzz.run(seed)
      guard !seed.isEmpty else { continue }
      for _ in 0..<300 {
        var damaged = seed
        damaged[Int.random(in: 0..<seed.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
        try LZ4Fuzz.run(damaged)
      }
    }
  }
}
