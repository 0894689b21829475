import StrataZstd
import TestSupport
import Testing

@Suite("The fuzzer of zstd", .endsInTime) struct ZstdFuzzTests {
  @Test("its seeds, whole and damaged, break no promise")
  func seeds() throws {
    var generator = SeededGenerator(seed: 7)
    for seed in try ZstdFuzz.seeds {
      try ZstdFuzz.run(seed)
      guard !seed.isEmpty else { continue }
      for _ in 0..<100 {
        var damaged = seed
        damaged[Int.random(in: 0..<seed.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
        try ZstdFuzz.run(damaged)
      }
    }
  }
}
